// The page is complete without this. With it, sections are built when they are opened, and filters, folding and sorting
// work. The filter is the address: #op=Div&dtype=int32&verdict=failing.
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const THEMES = ["system", "light", "dark"];
  const KEYS = ["q", "op", "version", "dtype", "backend", "verdict", "rule", "form", "cause", "domain"];
  const BEFORE_TYPES = 3; // cells of a row before the first type
  const COUNTS = 4; // numbers of a row of the data before the counts of verdicts
  const BAD = ["fail", "crash", "timeout", "device-lost"];

  // Storage may be forbidden, to a file on disk for example.
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* not kept */ } };
  let theme = THEMES.includes(remembered()) ? remembered() : "system";
  const showTheme = () => {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
  };
  showTheme();

  // The browser keeps what stands in `noscript` as text, which is neither parsed nor laid out until it is needed.
  const build = (details) => {
    const kept = details.querySelector(":scope > noscript");
    if (!kept) return false;
    const made = document.createElement("template");
    made.innerHTML = kept.textContent;
    copyButtons(made.content);
    kept.replaceWith(made.content);
    return true;
  };
  const unescaped = (html) => html.replace(/<[^>]*>/g, " ").replace(/&(lt|gt|quot|#39|#96|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`", amp: "&" })[name]);

  document.addEventListener("DOMContentLoaded", () => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const form = document.getElementById("filters");
    const field = (key) => form.elements.namedItem(key);
    const shown = document.getElementById("shown");
    const noneShown = document.getElementById("none-shown");
    const matrix = document.getElementById("m");
    const bodies = [...matrix.querySelectorAll("tbody.g")];
    const heads = new Map([...matrix.querySelectorAll("tbody.family")].map((body) => [body.dataset.f, body]));
    const groups = bodies.flatMap((body) => [...body.rows].map((row) => ({
      row,
      section: document.getElementById(row.dataset.o),
      id: row.dataset.o,
      name: row.cells[0].textContent,
      domain: row.dataset.d,
      family: body.dataset.f,
      body,
      cells: data.operators[row.dataset.o].c,
      findings: data.operators[row.dataset.o].g,
      versions: data.operators[row.dataset.o].v,
      // The types that have a sign. A type that the operator allows has a sign, but no numbers, if no case ran for it.
      allowed: data.types.map((_, type) => row.cells[BEFORE_TYPES + type].className !== ""),
      text: null,
    })));
    const columnStyle = document.head.appendChild(document.createElement("style"));
    const foldedKinds = new Set();

    const fill = (target, values) => target.append(...values.map((value) => new Option(value, value)));
    const each = (place) => [...new Set(groups.flatMap((group) => group.findings.map((f) => f?.[place])))].filter(Boolean).sort();
    fill(field("domain"), [...new Set(groups.map((group) => group.domain))]);
    fill(field("dtype"), data.types);
    fill(field("rule"), each(5));
    fill(field("form"), each(7));
    fill(document.getElementById("op-names"), groups.map((group) => group.id));

    const compact = (n) => n < 1e3 ? `${n}` : n < 1e4 ? `${Math.floor(n / 100) / 10}k` : n < 1e6 ? `${Math.floor(n / 1e3)}k` : `${Math.floor(n / 1e6)}M`;
    const scientific = (ulp) => {
      const power = Math.floor(Math.log10(ulp));
      const digit = Math.ceil(ulp / 10 ** power - 1e-9);
      return digit >= 10 ? `1e${power + 1}` : `${digit}e${power}`;
    };
    const heat = (ulp) => ulp < 0 ? 0 : ulp === 0 ? 1 : ulp <= 1 ? 2 : ulp <= 4 ? 3 : ulp <= 64 ? 4 : ulp <= 65536 ? 5 : 6;
    const ulpText = (ulp) => ulp < 0 ? "" : ulp > 1e299 ? "∞" : ulp < 10 ? `${Math.ceil(ulp * 10) / 10}` : ulp < 1e4 ? `${Math.ceil(ulp)}` : scientific(ulp);
    // The sums of rows of the data: the counts of verdicts, then of new and changed results, then of unexpected results.
    const sum = (rows) => {
      const total = { ulp: -1, counts: new Array(data.verdicts.length + 2).fill(0), all: 0 };
      for (const row of rows) {
        total.ulp = Math.max(total.ulp, row[3]);
        for (let i = COUNTS; i < row.length; i++) total.counts[i - COUNTS] += row[i];
      }
      const of = (name) => total.counts[data.verdicts.indexOf(name)];
      for (let i = 0; i < data.verdicts.length; i++) total.all += total.counts[i];
      total.bad = BAD.reduce((bad, name) => bad + of(name), 0);
      total.is = of;
      total.mark = total.bad ? (total.counts[data.verdicts.length] ? "f" : "e") : of("latitude") ? "l"
        : of("pass") ? (of("pass") === total.all ? "p" : "h") : of("unsupported") ? "u" : "o";
      const worst = ["crash", "device-lost", "timeout", "fail"].find((name) => of(name)) ?? "fail";
      total.text = { p: "✓", h: "◐", u: "∅", o: "○", l: "≈" + compact(of("latitude")) }[total.mark]
        ?? data.signs[data.verdicts.indexOf(worst)] + compact(total.bad);
      return total;
    };
    const hasVerdict = (total, verdict) => verdict === "failing" ? total.bad > 0
      : verdict === "unexpected" ? total.counts[data.verdicts.length + 1] > 0
      : total.is(verdict) > 0;

    const wantedNow = () => {
      const wanted = Object.fromEntries(KEYS.map((key) => [key, field(key).value.trim()]));
      wanted.words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
      wanted.type = data.types.indexOf(wanted.dtype);
      wanted.place = data.backends.indexOf(wanted.backend);
      wanted.byFinding = Boolean(wanted.rule || wanted.form || wanted.cause);
      return wanted;
    };
    const fitsVerdict = (wanted, finding) => {
      const name = data.verdicts[finding[1]];
      return !wanted.verdict || name === wanted.verdict || (wanted.verdict === "failing" && BAD.includes(name))
        || (wanted.verdict === "unexpected" && finding[2] === 1);
    };
    const fitsFinding = (wanted, finding) => Boolean(finding)
      && (wanted.place < 0 || finding[0] === wanted.place)
      && fitsVerdict(wanted, finding)
      && (wanted.type < 0 || finding[3].includes(wanted.type))
      && (!wanted.version || finding[4].includes(Number(wanted.version)))
      && (!wanted.rule || finding[5] === wanted.rule)
      && (!wanted.cause || finding[6].includes(wanted.cause))
      && (!wanted.form || finding[7] === wanted.form);
    const searchable = (group) => {
      group.text ??= (group.domain + " " + group.name + " " + unescaped(group.section.innerHTML + group.section.textContent)).toLowerCase();
      return group.text;
    };

    // The rows of the data that a filter leaves. A filter by failure leaves only the cells that have such a failure.
    const rowsFor = (group, wanted) => {
      let findings = null;
      if (wanted.byFinding) {
        findings = group.findings.filter((finding) => fitsFinding(wanted, finding));
        if (findings.length === 0) return [];
      }
      const version = wanted.version ? Number(wanted.version) : 0;
      return group.cells.filter((cell) => (!version || cell[0] === version)
        && (wanted.type < 0 || cell[1] === wanted.type)
        && (wanted.place < 0 || cell[2] === wanted.place)
        && (!findings || findings.some((f) => f[0] === cell[2] && f[3].includes(cell[1]) && f[4].includes(cell[0]))));
    };

    // Whether nothing of an operator ran, and it has the version and the type of the filter.
    const isWithoutResults = (group, wanted) => group.cells.length === 0 && !wanted.byFinding && wanted.place < 0
      && (!wanted.version || group.versions.includes(Number(wanted.version)))
      && (wanted.type < 0 || group.allowed[wanted.type]);

    const strip = (rows) => {
      if (data.backends.length < 2) return "";
      const width = 100 / data.backends.length;
      const stops = data.backends.map((_, at) => {
        const own = rows.filter((row) => row[2] === at);
        const mark = own.length ? sum(own).mark : "o";
        return `var(--${mark === "e" ? "f" : mark}-solid) ${Math.round(at * width)}% ${Math.round((at + 1) * width)}%`;
      });
      return `linear-gradient(90deg,${stops.join(",")})`;
    };
    // Draws the row of groups again: of one operator, or of a family. The cell at which a kind is folded stands for all
    // types of the kind.
    const draw = (row, own, wanted, isHead) => {
      const rows = own.flatMap((group) => group.rows);
      const asUlp = document.getElementById("show").value === "ulp";
      const isWhole = !asUlp && !wanted.version && wanted.place < 0 && wanted.type < 0 && !wanted.byFinding;
      const total = sum(rows);
      row.cells[1].textContent = total.bad ? compact(total.bad) : "";
      row.cells[1].className = "t " + (total.bad && !isHead ? total.mark : "");
      row.cells[2].textContent = ulpText(total.ulp);
      row.cells[2].className = "w h" + heat(total.ulp);
      data.types.forEach((_, type) => {
        const cell = row.cells[BEFORE_TYPES + type];
        const kind = data.kinds[type];
        const whole = foldedKinds.has(kind) && data.kinds.indexOf(kind) === type;
        const isHere = (other) => whole ? data.kinds[other] === kind : other === type;
        const found = rows.filter((r) => isHere(r[1]));
        if (found.length === 0) {
          const isAllowed = isWhole && own.some((group) => group.allowed.some((is, other) => is && isHere(other)));
          if (!isAllowed && !cell.className) return;
          cell.className = isAllowed ? "o" : "";
          cell.textContent = isAllowed ? "○" : "";
          cell.style.removeProperty("--k");
          return;
        }
        const here = sum(found);
        const text = asUlp ? ulpText(here.ulp) : here.text;
        cell.className = asUlp ? "h" + heat(here.ulp) : here.mark;
        const gradient = wanted.place < 0 ? strip(found) : "";
        if (gradient) cell.style.setProperty("--k", gradient); else cell.style.removeProperty("--k");
        if (!isHead && (here.bad || here.mark === "l")) {
          const link = cell.querySelector("a") ?? document.createElement("a");
          link.textContent = text || here.text;
          cell.replaceChildren(link);
          link.href = cellAddress(row.dataset.o, cell, here);
        } else cell.textContent = text;
      });
    };
    // The backend that alone has the verdict, if only one has.
    const onlyBackend = (rows, verdict) => {
      const found = data.backends.filter((_, at) => hasVerdict(sum(rows.filter((row) => row[2] === at)), verdict));
      return found.length === 1 ? found[0] : "";
    };
    const groupOf = new Map(groups.map((group) => [group.id, group]));
    const cellAddress = (id, cell) => {
      const query = new URLSearchParams();
      const wanted = wantedNow();
      for (const key of KEYS) if (wanted[key] && key !== "q") query.set(key, wanted[key]);
      query.set("op", id);
      const type = cell.cellIndex - BEFORE_TYPES;
      const folded = foldedKinds.has(data.kinds[type]);
      if (!folded) query.set("dtype", data.types[type]);
      const verdict = wanted.verdict || (cell.textContent.startsWith("≈") ? "latitude" : "failing");
      query.set("verdict", verdict);
      const group = groupOf.get(id);
      const rows = (group.rows ?? group.cells).filter((row) => folded ? data.kinds[row[1]] === data.kinds[type] : row[1] === type);
      const only = wanted.place < 0 && onlyBackend(rows, verdict);
      if (only) query.set("backend", only);
      return "#" + query;
    };
    // As written, the links of cells lead to headings. The script puts the filter into the address of a link, but only
    // when somebody points at it.
    const pointAt = (event) => {
      const link = event.target.closest?.("#m td a");
      if (link) link.setAttribute("href", cellAddress(link.closest("tr").dataset.o, link.closest("td")));
    };
    for (const name of ["pointerover", "focusin", "click"]) matrix.addEventListener(name, pointAt, { capture: true });

    // In an open section, shows only the failures that fit.
    const filterSection = (group, wanted) => {
      if (group.section.querySelector(":scope > noscript")) return;
      const narrows = KEYS.some((key) => wanted[key] && !["q", "op", "domain"].includes(key));
      for (const part of group.section.querySelectorAll("[data-g]")) {
        part.hidden = narrows && !fitsFinding(wanted, group.findings[part.dataset.g]);
      }
      for (const heading of group.section.querySelectorAll("h4:has(.fits)")) {
        const all = heading.nextElementSibling.querySelectorAll("[data-g]");
        const left = [...all].filter((part) => !part.hidden).length;
        heading.querySelector(".fits").textContent = left < all.length ? `${left} of ${all.length} fit the filter` : "";
      }
      for (const body of group.section.querySelectorAll(".results tbody")) {
        body.hidden = Boolean(wanted.version) && body.dataset.s !== wanted.version;
      }
    };

    // What each row shows, so that it is drawn again only if that changes. A row that is hidden is left as it is.
    const written = JSON.stringify(["", -1, false, -1, [], ""]);
    const drawn = new Map();
    const drawIfNew = (row, own, wanted, isHead, state) => {
      if ((drawn.get(row) ?? written) === state) return;
      drawn.set(row, state);
      draw(row, own, wanted, isHead);
    };
    const families = Map.groupBy(groups, (group) => group.family);
    const apply = () => {
      const wanted = wantedNow();
      const op = wanted.op.toLowerCase();
      const is = (group) => group.id.toLowerCase() === op || group.name.toLowerCase() === op;
      const exact = groups.some(is);
      const isOp = (group) => !op || (exact ? is(group) : group.id.toLowerCase().includes(op));
      // The settings that decide what the rows show. With none of them, the matrix is as it was written.
      const numbers = JSON.stringify([wanted.version, wanted.place, wanted.byFinding && [wanted.rule, wanted.form, wanted.cause, wanted.verdict],
        wanted.type, [...foldedKinds], document.getElementById("show").value]);
      const visible = [];
      const narrows = wanted.version || wanted.place >= 0 || wanted.type >= 0 || wanted.byFinding || wanted.verdict;
      for (const group of groups) {
        let fits = isOp(group) && (!wanted.domain || group.domain === wanted.domain)
          && wanted.words.every((word) => searchable(group).includes(word));
        group.rows = group.cells;
        if (fits && narrows) {
          const rows = rowsFor(group, wanted);
          group.rows = rows;
          fits = (wanted.verdict === "not-run" && isWithoutResults(group, wanted))
            || (rows.length > 0 && (!wanted.verdict || hasVerdict(sum(rows), wanted.verdict)));
        }
        if (fits) drawIfNew(group.row, [group], wanted, false, numbers);
        group.row.hidden = group.section.hidden = !fits;
        if (fits) visible.push(group);
        if (group.section.open) filterSection(group, wanted);
      }
      const sorted = document.getElementById("sort").value !== "";
      for (const [family, head] of heads) {
        const own = visible.filter((group) => group.family === family);
        head.hidden = sorted || own.length === 0;
        head.querySelector(".count").textContent = own.length;
        if (head.hidden) continue;
        const state = own.length === families.get(family).length ? numbers : numbers + own.map((group) => group.id);
        drawIfNew(head.rows[0], own, wanted, true, state);
      }
      const hidden = data.types.map((_, type) => (wanted.type >= 0 && type !== wanted.type)
        || (wanted.type < 0 && foldedKinds.has(data.kinds[type]) && data.kinds.indexOf(data.kinds[type]) !== type));
      const rules = hidden.flatMap((is, type) => is ? [`#m tr:not(.kinds) > :nth-child(${type + BEFORE_TYPES + 1})`] : []);
      columnStyle.textContent = rules.length ? rules.join(",") + " { display: none; }" : "";
      for (const head of matrix.tHead.rows[0].querySelectorAll("[data-k]")) {
        const left = data.kinds.filter((kind, type) => kind === head.dataset.k && !hidden[type]).length;
        head.hidden = left === 0;
        head.colSpan = Math.max(1, left);
        head.firstElementChild.setAttribute("aria-expanded", String(!foldedKinds.has(head.dataset.k)));
      }
      noneShown.hidden = visible.length > 0;
      shown.textContent = visible.length === groups.length
        ? `${groups.length} operators` : `${visible.length} of ${groups.length} operators`;
      return visible;
    };

    const toUrl = () => {
      const query = new URLSearchParams();
      for (const key of KEYS) if (field(key).value.trim()) query.set(key, field(key).value.trim());
      history.replaceState(null, "", query.size ? "#" + query : location.pathname + location.search);
    };
    const open = (section) => { build(section); section.open = true; };
    // #op=Min&verdict=fail is a filter, #Min is an operator, #Min-failures is a place in its section.
    const fromUrl = () => {
      const fragment = location.hash.slice(1);
      if (fragment.includes("=")) {
        const query = new URLSearchParams(fragment);
        for (const key of KEYS) field(key).value = query.get(key) ?? "";
        // A backend may be named without its version.
        const backend = query.get("backend");
        for (const option of field("backend").options) {
          if (backend && option.value.split(" ")[0] === backend) field("backend").value ||= option.value;
        }
        const visible = apply();
        if (visible.length === 1) {
          open(visible[0].section);
          filterSection(visible[0], wantedNow());
          visible[0].section.scrollIntoView();
        } else form.scrollIntoView();
        return;
      }
      let name = "";
      try { name = decodeURIComponent(fragment); } catch { /* no such place */ }
      const target = document.getElementById(name.replace(/-(failures|directml)$/, ""));
      if (target?.matches("details.op")) {
        if (target.hidden) { form.reset(); apply(); }
        open(target);
        (document.getElementById(name) ?? target).scrollIntoView();
      } else if (name === "directml") {
        open(target.querySelector("details"));
        target.scrollIntoView();
      }
    };

    document.addEventListener("toggle", (event) => {
      if (!event.target.open || !event.target.matches("details.op, details.later")) return;
      build(event.target);
      const group = groups.find((group) => group.section === event.target);
      if (group) filterSection(group, wantedNow());
    }, { capture: true });

    let waiting = 0;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { apply(); toUrl(); }, 80);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { apply(); toUrl(); }));
    addEventListener("hashchange", fromUrl);

    // A narrow window has room for the kinds of types only.
    if (innerWidth < 600) for (const kind of data.kinds) foldedKinds.add(kind);
    apply();
    if (location.hash) fromUrl();

    matrix.addEventListener("click", (event) => {
      const kind = event.target.closest(".kinds [data-k]")?.dataset.k;
      if (kind) {
        if (!foldedKinds.delete(kind)) foldedKinds.add(kind);
        apply();
      }
      const head = event.target.closest("tbody.family button")?.closest("tbody");
      if (head) fold(head, !bodyOf(head).hidden);
    });
    const bodyOf = (head) => bodies.find((body) => body.dataset.f === head.dataset.f);
    const fold = (head, folded) => {
      bodyOf(head).hidden = folded;
      head.querySelector("button").setAttribute("aria-expanded", String(!folded));
    };
    document.getElementById("fold").addEventListener("click", (event) => {
      const all = [...heads.values()];
      const folded = all.some((head) => !bodyOf(head).hidden);
      for (const head of all) fold(head, folded);
      event.target.textContent = folded ? "Unfold families" : "Fold families";
    });
    document.getElementById("show").addEventListener("change", () => { apply(); });
    document.getElementById("sort").addEventListener("change", (event) => {
      const order = event.target.value;
      const total = new Map(groups.map((group) => [group, sum(group.rows ?? group.cells)]));
      const compare = {
        bad: (a, b) => total.get(b).bad - total.get(a).bad,
        ulp: (a, b) => total.get(b).ulp - total.get(a).ulp,
        name: (a, b) => a.name < b.name ? -1 : 1,
      }[order];
      if (compare) {
        const sorted = [...groups].sort(compare);
        for (const body of bodies) body.hidden = body !== bodies[0];
        bodies[0].append(...sorted.map((group) => group.row));
      } else {
        for (const group of groups) group.body.append(group.row);
        for (const head of heads.values()) fold(head, false);
      }
      apply();
    });

    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.target.closest("input, select, textarea")) {
        event.preventDefault();
        field("q").focus();
      }
    });
    // Sections are built a few at a time, so that the page keeps answering.
    const setOpen = (isOpen, left = groups.filter((group) => !group.section.hidden)) => {
      for (const group of left.slice(0, 10)) {
        if (isOpen) open(group.section); else group.section.open = false;
      }
      if (left.length > 10) requestAnimationFrame(() => setOpen(isOpen, left.slice(10)));
    };
    document.getElementById("open-all").addEventListener("click", () => setOpen(true));
    document.getElementById("close-all").addEventListener("click", () => setOpen(false));

    const button = document.getElementById("theme");
    const nameTheme = () => { button.textContent = "Theme: " + theme; };
    nameTheme();
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      remember(theme);
      showTheme();
      nameTheme();
    });

    // What a cell says, in words. The operator's own table says it too, to those who have no mouse.
    const tip = document.getElementById("tip");
    matrix.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("tr[data-o] > td");
      const type = cell ? cell.cellIndex - BEFORE_TYPES : -1;
      const group = cell && groups.find((group) => group.row === cell.parentElement);
      const own = group ? (group.rows ?? group.cells).filter((row) => type < 0 || row[1] === type) : [];
      tip.hidden = own.length === 0;
      if (tip.hidden) return;
      const lines = data.backends.flatMap((backend, at) => {
        const total = sum(own.filter((row) => row[2] === at));
        const parts = data.verdicts.flatMap((verdict, i) => total.counts[i] ? [`${total.counts[i]} ${verdict}`] : []);
        return parts.length ? [`${backend}: ${parts.join(", ")}${total.ulp > 0 ? `; worst ${ulpText(total.ulp)} ulp` : ""}`] : [];
      });
      tip.textContent = [`${group.name} · ${data.types[type] ?? "all types"}`, ...lines].join("\n");
      const place = cell.getBoundingClientRect();
      tip.style.left = Math.max(4, Math.min(place.left, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = (place.top > tip.offsetHeight + 8 ? place.top - tip.offsetHeight - 4 : place.bottom + 4) + "px";
    });
    matrix.addEventListener("mouseleave", () => { tip.hidden = true; });
    document.querySelector(".tall").addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
  });
})();
