// onnxruntime-web's WebGPU provider, in a page of a headless Chromium that this process starts.
//
// The page comes from a server in this process, on the loopback interface only. It asks the server for one request after
// the other, and posts the answers. Chromium ends when the pipe that it was started with closes, so it does not outlive
// this process, not even if this process is killed.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Breakdown } from './session.mjs';

/** The names by which Chromium is found in PATH, unless PLUMBLINE_CHROMIUM names a program. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const FLAGS = [
  '--headless=new',
  // Chromium refuses to run as root with a sandbox, and containers often forbid what the sandbox needs.
  '--no-sandbox',
  '--disable-gpu-sandbox',
  // WebGPU on Linux, on Vulkan. Without a GPU, Chromium falls back to SwiftShader.
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  // The page is told which driver runs its shaders.
  '--enable-webgpu-developer-features',
  // A GPU process that crashed is started again, each time.
  '--disable-gpu-process-crash-limit',
  '--disable-domain-blocking-for-3d-apis',
  // /dev/shm is small in many containers.
  '--disable-dev-shm-usage',
  // The page is never seen: its timers and its rendering must not slow down.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  // Nothing of Chromium's own goes to the network.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-quic',
  '--disable-sync',
  '--disable-breakpad',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-proxy-server',
  '--password-store=basic',
  '--remote-debugging-pipe',
];

/** How long Chromium may take to start onnxruntime-web, and to end when it is asked to. */
const START_MS = 50_000;
const STOP_MS = 3_000;

const HERE = path.dirname(fileURLToPath(import.meta.url));
const TYPES = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function chromium() {
  const named = process.env.PLUMBLINE_CHROMIUM;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`PLUMBLINE_CHROMIUM is ${named}, which is not a program`);
  }
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
  if (found) return found;
  throw new Error(`there is no Chromium: none of ${NAMES.join(', ')} is in PATH; set PLUMBLINE_CHROMIUM to its path`);
}

/** The names of the folders for Chromium's files start with this; the number of the process follows. */
const FOLDER = `plumbline-chromium-${os.hostname()}-`;

/** Removes a folder that a Chromium which is just ending may still write to. */
function remove(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // The next start removes it.
  }
}

/** Makes a new folder for Chromium's files, and removes those of workers that were killed. */
function newFolder() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const owner = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : Number.NaN;
    if (Number.isNaN(owner)) continue;
    try {
      process.kill(owner, 0);
    } catch (error) {
      if (error.code === 'ESRCH') remove(path.join(os.tmpdir(), name));
    }
  }
  return fs.mkdtempSync(path.join(os.tmpdir(), `${FOLDER}${process.pid}-`));
}

/** A promise, and the functions that settle it. */
function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  // Node must not report the rejection as unhandled: whoever waits for the promise later still gets it.
  made.promise.catch(() => {});
  return made;
}

/** The state that the server and the process of Chromium share. */
class Browser {
  constructor(folder) {
    this.package = folder;
    this.secret = randomBytes(16).toString('hex');
    this.ready = deferred();
    this.dead = deferred();
    this.requests = [];
    this.waiting = [];
    this.answered = undefined;
    this.held = undefined;
    this.stderr = [];
  }

  /** Ends everything that waits: there will be no answer any more. Chromium's last lines may tell why. */
  crashed(reason) {
    this.died([reason, ...this.stderr].join('\n'));
  }

  died(reason) {
    const error = new Breakdown(reason);
    this.dead.reject(error);
    this.ready.reject(error);
  }

  /** Sends a request to the page as soon as it asks for one. */
  hand() {
    while (this.requests.length > 0 && this.waiting.length > 0) {
      const { kind, payload } = this.requests.shift();
      this.waiting.shift().writeHead(200, { kind, 'content-type': 'application/octet-stream' }).end(payload);
    }
  }

  /** Answers a request of the page. The body is bytes. */
  handle(name, body, response) {
    const done = () => response.writeHead(204).end();
    switch (name) {
      case 'ready': {
        const { reason, ...ready } = JSON.parse(body.toString());
        if (reason === undefined) this.ready.resolve(ready);
        else this.died(reason);
        // The case that broke something pays for the time that it takes to start again.
        if (this.held) this.answered?.resolve(this.held);
        this.held = undefined;
        return done();
      }
      case 'next':
        if (body.length > 0) this.answered?.resolve(body);
        this.waiting.push(response);
        return this.hand();
      case 'again':
        // After this answer, the page loads itself again.
        this.held = body;
        return done();
      case 'alive':
        // This response never ends. It closes when the page is gone.
        response.on('close', () => {
          if (!this.held) this.crashed('the page of Chromium is gone: its process crashed');
        });
        return response.writeHead(200).flushHeaders();
      default:
        return this.file(name, response);
    }
  }

  file(name, response) {
    const inPackage = name.startsWith('package/');
    const base = inPackage ? this.package : HERE;
    const file = path.join(base, inPackage ? name.slice('package/'.length) : name);
    const type = TYPES[path.extname(file)];
    if (type === undefined || !file.startsWith(base + path.sep) || !fs.existsSync(file)) {
      return response.writeHead(404).end();
    }
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    return fs.createReadStream(file).pipe(response);
  }

  /** Starts the server, and returns the address of the page. */
  async serve() {
    const server = http.createServer((request, response) => {
      const [, secret, ...rest] = new URL(request.url, 'http://localhost').pathname.split('/');
      if (secret !== this.secret) return response.writeHead(404).end();
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', () => this.handle(rest.join('/'), Buffer.concat(pieces), response));
    });
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.headersTimeout = 0;
    this.server = server;
    await new Promise((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${server.address().port}/${this.secret}/page.html`;
  }

  /** Starts Chromium with the page. */
  launch(address) {
    this.folder = newFolder();
    process.on('exit', () => {
      this.process?.kill('SIGKILL');
      remove(this.folder);
    });
    const words = [...FLAGS, `--user-data-dir=${this.folder}`, address];
    this.process = spawn(chromium(), words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.process.on('error', (error) => this.died(`cannot start Chromium: ${error.message}`));
    this.process.on('exit', (code, signal) => this.crashed(`Chromium has ended: ${signal ?? `exit status ${code}`}`));
    this.process.stderr.setEncoding('utf8').on('data', (text) => {
      // Containers have no D-Bus, which Chromium reports again and again.
      const lines = text.split('\n').filter((line) => line !== '' && !line.includes('dbus'));
      this.stderr = [...this.stderr, ...lines].slice(-6);
    });
    const [, , , commands, replies] = this.process.stdio;
    for (const pipe of [commands, replies]) pipe.on('error', () => {});
    this.commands = commands;
    this.product = deferred();
    let text = '';
    replies.setEncoding('utf8').on('data', (more) => {
      text += more;
      for (let end; (end = text.indexOf('\0')) >= 0; text = text.slice(end + 1)) {
        const { id, result } = JSON.parse(text.slice(0, end));
        if (id === 1) this.product.resolve(result?.product ?? 'Chromium');
      }
    });
    this.command(1, 'Browser.getVersion');
  }

  /** Writes a command of the Chrome DevTools Protocol. */
  command(id, method) {
    this.commands.write(`${JSON.stringify({ id, method })}\0`);
  }

  /** Waits for this promise, or for the end of Chromium. */
  orDeath(promise) {
    return Promise.race([promise, this.dead.promise]);
  }

  async answer(kind, payload) {
    this.answered = deferred();
    this.requests.push({ kind, payload });
    this.hand();
    return this.orDeath(this.answered.promise);
  }

  async stop() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.command(2, 'Browser.close');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
  }
}

/** Starts the package in this folder in Chromium. */
export async function start(folder) {
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const browser = new Browser(folder);
  browser.launch(await browser.serve());
  const late = setTimeout(() => browser.crashed(`Chromium did not start onnxruntime-web in ${START_MS / 1000} s`), START_MS);
  const { opset, irVersion, adapter } = await browser.ready.promise;
  clearTimeout(late);
  const product = (await browser.orDeath(browser.product.promise)).replace('HeadlessChrome', 'Chromium').replace('/', ' ');
  return {
    version: `${version} (webgpu, ${adapter}, ${product})`,
    // What WGSL allows is in `specs/providers/webgpu.toml`.
    profile: { max_opset: opset, max_ir_version: irVersion },
    answer: (kind, payload) => browser.answer(kind, payload),
    dead: browser.dead.promise,
    stop: () => browser.stop(),
  };
}
