// Opens a page in a headless Chromium that computes WebGPU on SwiftShader, and prints what the page logs.
//
// npm install onnxruntime-web@1.30.0
// node run_page.mjs NAME.html          CHROMIUM names the browser, unless `chromium` is in PATH
//
// The page ends by setting `document.title` to its exit code.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const page = path.basename(process.argv[2]);
const folders = [path.dirname(process.argv[2]), process.cwd()];
const types = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
// Sends the lines of the console and the title to this program.
const hook = `<script>
const send = (kind, text) => fetch('/' + kind, { method: 'POST', body: text });
for (const level of ['log', 'error']) console[level] = (...words) => send('log', words.join(' '));
onerror = (text) => send('log', text).then(() => send('end', '2'));
onunhandledrejection = ({ reason }) => send('log', String(reason)).then(() => send('end', '2'));
const watch = () => /^[0-9]+$/.test(document.title) && send('end', document.title);
new MutationObserver(watch).observe(document, { childList: true, subtree: true });
</script>`;

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
let browser;
function end(code) {
  browser.once('exit', () => {
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 9, retryDelay: 100 });
    process.exit(code);
  });
  process.kill(-browser.pid);
}

const server = http.createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  if (request.url === '/log') console.log(text);
  if (request.url === '/end') setTimeout(end, 200, Number(text));
  const name = request.method === 'GET' ? new URL(request.url, 'http://page').pathname : undefined;
  const file = name && folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
  response.writeHead(name && !file ? 404 : 200, { 'content-type': types[path.extname(name ?? '')] ?? 'text/plain' });
  if (name === `/${page}`) response.write(hook);
  response.end(file && fs.readFileSync(file));
});
server.listen(0, '127.0.0.1', () => {
  const flags = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--enable-unsafe-webgpu'];
  flags.push('--use-webgpu-adapter=swiftshader', `--user-data-dir=${profile}`);
  const address = `http://127.0.0.1:${server.address().port}/${page}`;
  browser = spawn(process.env.CHROMIUM ?? 'chromium', [...flags, address], { stdio: 'ignore', detached: true });
  setTimeout(end, 120_000, 3);
});
