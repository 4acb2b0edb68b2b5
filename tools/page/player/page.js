/** The page: what it plays, and its controls. All texts of files are set as text, never as HTML. */
import initJolt from "jolt-physics/wasm";
import wasm from "jolt-physics/jolt-physics.wasm.wasm";
import { Gltf, World } from "../reader/src/index.js";
import { ofBase64 } from "../reader/src/gltf.js";
import { View } from "./view.js";

const SPEEDS = { "1×": 1, "½×": 0.5, "¼×": 0.25, "⅒×": 0.1 };
// Steps per second, and those with more bodies that move than so many.
const RATE = 240, COARSE = 120, MANY = 150;
/** @type {[number, number]} */
const FEW_ROUNDS = [8, 2];
const MOST_FRAME = 0.1; // s, more than which is not caught up with.
const SLOW = 1; // Of the time that is played, how much computing may take before the page plays slower.
const MOST_EVENTS = 200;
/** @type {Record<string, string>} */
const KEY_NAMES = { Space: "SPACE", ShiftLeft: "SHIFT", ShiftRight: "SHIFT", ControlLeft: "CTRL", ControlRight: "CTRL" };
const AXES = ["pitch", "yaw", "roll", "left, right", "up, down", "ahead, back"];

/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id);

/** @param {string} kind @param {string} text @param {Record<string, string>} [more] */
function made(kind, text, more = {}) {
  const found = document.createElement(kind);
  found.textContent = text;
  for (const [key, value] of Object.entries(more)) found.setAttribute(key, value);
  return found;
}

class Player {
  /** @param {any} report @param {Uint8Array} bytes */
  constructor(report, bytes) {
    this.report = report;
    this.bytes = bytes;
    this.speed = 1;
    this.rate = RATE;
    /** @type {[number, number] | undefined} */
    this.rounds = undefined;
    this.isPlaying = false;
    this.isFollowing = false;
    this.pressed = new Set();
    this.errors = [];
    this.active = 0;
    this.rest = 0; // s that are still to be played
    this.view = new View(/** @type {any} */ (document.querySelector("canvas")), part("labels"));
  }

  async start() {
    const began = performance.now();
    this.Jolt = await startJolt();
    this.build();
    if (this.world.actors.filter((/** @type {any} */ one) => one.isMovable).length > MANY) {
      this.rate = COARSE;
      this.rounds = FEW_ROUNDS;
      this.build();
    }
    const why = await this.view.read(/** @type {ArrayBuffer} */ (this.bytes.buffer));
    if (why) {
      this.tell(`Meshes are not shown: ${why}`);
      this.view.shown.shapes = true;
    }
    if (this.report.missing.length) this.tell(`Files that are missing: ${this.report.missing.join(", ")}.`);
    if (!this.world.setup.bodies.some((/** @type {any} */ b) => b.type !== "static")) this.tell("Nothing moves in this file.");
    this.view.show(this.world);
    this.controls();
    this.lists();
    this.keys();
    this.theme(null);
    this.view.draw();
    this.view.frame();
    this.loadTime = performance.now() - began;
    part("message").hidden = true;
    this.play(true);
    this.last = performance.now();
    const turn = (/** @type {number} */ now) => {
      this.frame(Math.min((now - this.last) / 1000, MOST_FRAME));
      this.last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  /** A world from the start. */
  build() {
    this.world?.free();
    this.world = new World(this.Jolt, new Gltf(this.bytes), { rate: this.rate, rounds: this.rounds });
    this.logged = 0;
    this.rest = 0;
  }

  /** @param {string} text */
  tell(text) {
    const note = part("note");
    note.textContent = note.textContent ? `${note.textContent} ${text}` : text;
    note.hidden = false;
  }

  /** One picture. @param {number} passed s */
  frame(passed) {
    if (this.isPlaying) {
      this.rest += passed * this.speed;
      const began = performance.now();
      this.go(Math.floor(this.rest * this.rate + 1e-6));
      this.rest -= Math.floor(this.rest * this.rate + 1e-6) / this.rate;
      const taken = (performance.now() - began) / 1000;
      this.busy = 0.95 * (this.busy ?? 0) + 0.05 * (taken / Math.max(passed * this.speed, 1e-3));
      if (this.busy > SLOW) {
        // What cannot be computed in time is played slower, not further apart.
        this.rest = 0;
        this.tooSlow = true;
      }
    }
    this.view.draw();
    part("time").textContent = `${this.world.time.toFixed(2)} s${this.tooSlow && this.isPlaying ? " (slow)" : ""}`;
    this.log();
  }

  /** @param {number} steps */
  go(steps) {
    const vehicle = this.world.vehicles[this.active];
    for (let i = 0; i < steps; i++) {
      if (vehicle && (this.pressed.size || this.wasPressed)) vehicle.drive(this.pressed, this.world.pose(vehicle.body).turn, this.world.step);
      this.wasPressed = this.pressed.size > 0;
      const before = vehicle && this.isFollowing ? this.world.pose(vehicle.body).place : null;
      this.world.advance();
      if (before) this.view.carry(this.world.pose(vehicle.body).place.map((/** @type {number} */ x, /** @type {number} */ k) => x - before[k]));
    }
  }

  /** @param {boolean} on */
  play(on) {
    this.isPlaying = on;
    const button = part("play");
    button.textContent = on ? "❚❚" : "▶";
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    button.title = on ? "Pause" : "Play";
  }

  reset() {
    this.build();
    this.view.show(this.world);
    part("log")?.replaceChildren();
    this.view.draw();
  }

  controls() {
    const bar = part("bar");
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) => {
      const one = made("button", text, { id, title, "aria-label": title });
      one.addEventListener("click", act);
      bar.append(one);
      return one;
    };
    button("play", "▶", "Play", () => this.play(!this.isPlaying));
    button("step", "❚▶", "Step by 1/60 s", () => {
      this.play(false);
      this.go(this.rate / 60);
    });
    button("reset", "↺", "Reset", () => this.reset());
    const speed = /** @type {HTMLSelectElement} */ (made("select", "", { id: "speed", "aria-label": "Speed", title: "Speed" }));
    for (const name of Object.keys(SPEEDS)) speed.append(made("option", name, { value: name }));
    speed.addEventListener("change", () => (this.speed = SPEEDS[/** @type {keyof SPEEDS} */ (speed.value)]));
    bar.append(speed);
    for (const kind of /** @type {const} */ (["shapes", "joints", "triggers", "names"])) {
      const text = kind[0].toUpperCase() + kind.slice(1), one = button(kind, text, `Show ${kind}`, () => {
        this.view.shown[kind] = !this.view.shown[kind];
        one.setAttribute("aria-pressed", String(this.view.shown[kind]));
      });
      one.setAttribute("aria-pressed", String(this.view.shown[kind]));
    }
    button("view", "View", "View all", () => this.view.frame());
    bar.append(made("span", "0.00 s", { id: "time" }));
    part("theme").addEventListener("click", () => this.theme(getComputedStyle(document.documentElement).colorScheme.startsWith("dark") || this.isDark ? "light" : "dark"));
    part("toggle").addEventListener("click", () => {
      const closed = part("side").classList.toggle("closed");
      part("toggle").setAttribute("aria-expanded", String(!closed));
    });
    if (window.innerWidth <= 700) part("toggle").click();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme(this.chosen ?? null));
    this.pointers();
    window.addEventListener("keydown", (event) => this.key(event, true));
    window.addEventListener("keyup", (event) => this.key(event, false));
    window.addEventListener("blur", () => this.pressed.clear());
  }

  /** @param {string | null} name null for that of the system */
  theme(name) {
    this.chosen = name ?? undefined;
    if (name) document.documentElement.dataset.theme = name;
    this.isDark = name ? name === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.view.paint(this.isDark ? "#17191c" : "#dfe3e8");
  }

  pointers() {
    const canvas = this.view.canvas;
    /** @type {{id: number, depth: number} | null} */
    let hand = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (hand || event.button !== 0 || event.shiftKey || !event.isPrimary) return;
      const ray = this.view.rayOf(event), hit = this.world.cast(ray.origin, ray.direction, 1e4, -1);
      if (!(hit.distance < Infinity) || !this.world.isMovable(hit.body)) return;
      const point = ray.origin.map((/** @type {number} */ x, /** @type {number} */ i) => x + ray.direction[i] * hit.distance);
      const depth = point.reduce((/** @type {number} */ sum, /** @type {number} */ x, /** @type {number} */ i) => sum + (x - ray.origin[i]) * ray.ahead[i], 0);
      hand = { id: event.pointerId, depth };
      this.world.grab(hit.body, point);
      // Before the camera takes it for an orbit.
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.view.controls.enabled = false;
      canvas.focus({ preventScroll: true });
    }, { capture: true });
    canvas.addEventListener("pointermove", (event) => {
      if (!hand || event.pointerId !== hand.id || !this.world.pulled) return;
      const ray = this.view.rayOf(event), along = ray.direction.reduce((/** @type {number} */ sum, /** @type {number} */ x, /** @type {number} */ i) => sum + x * ray.ahead[i], 0);
      const { depth } = hand;
      this.world.pulled.to = ray.origin.map((/** @type {number} */ x, /** @type {number} */ i) => x + (ray.direction[i] * depth) / along);
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!hand || event.pointerId !== hand.id) return;
      hand = null;
      this.world.pulled = null;
      this.view.controls.enabled = true;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  /** @param {KeyboardEvent} event @param {boolean} down */
  key(event, down) {
    const name = KEY_NAMES[event.code] ?? (/^Key([A-Z])$/.exec(event.code) ?? [])[1];
    const vehicle = this.world.vehicles[this.active];
    if (!name || !vehicle || event.metaKey || event.altKey || /^(SELECT|INPUT)$/.test(/** @type {HTMLElement} */ (event.target).tagName ?? "")) return;
    if (down) this.pressed.add(name);
    else this.pressed.delete(name);
    if (name === "SPACE" && vehicle) event.preventDefault();
  }

  /** Buttons for what the keys of the active vehicle do. */
  keys() {
    const { vehicles } = this.world, box = part("keys"), chosen = vehicles.filter((/** @type {any} */ v) => v.record);
    box.replaceChildren();
    box.hidden = !chosen.length;
    if (!chosen.length) return;
    this.active = vehicles.indexOf(vehicles[this.active]?.record ? vehicles[this.active] : chosen[0]);
    const head = made("div", "", { class: "row" }), pick = /** @type {HTMLSelectElement} */ (made("select", "", { id: "vehicle", "aria-label": "Vehicle" }));
    for (const vehicle of chosen) pick.append(made("option", vehicle.name, { value: String(vehicles.indexOf(vehicle)) }));
    pick.value = String(this.active);
    pick.addEventListener("change", () => {
      this.active = Number(pick.value);
      this.pressed.clear();
      this.keys();
    });
    const follow = made("button", "Follow", { id: "follow", "aria-pressed": String(this.isFollowing) });
    follow.addEventListener("click", () => {
      this.isFollowing = !this.isFollowing;
      follow.setAttribute("aria-pressed", String(this.isFollowing));
    });
    head.append(pick, follow);
    box.append(head);
    const vehicle = vehicles[this.active], useful = usefulRows(vehicle);
    vehicle.keys().forEach(([low, high], /** @type {number} */ i) => {
      if (!useful[i]) return;
      const row = made("div", "", { class: "row" });
      row.append(this.held(high), made("span", wordsOf(vehicle, i), { class: "what" }), this.held(low));
      box.append(row);
    });
    const stop = made("div", "", { class: "row" });
    stop.append(this.held("SPACE"));
    box.append(stop);
  }

  /** A button that is a key while it is held. @param {string} key */
  held(key) {
    const one = made("button", { SPACE: "Stop (Space)", SHIFT: "Shift", CTRL: "Ctrl" }[key] ?? key, { class: "key", "data-key": key });
    one.addEventListener("pointerdown", (event) => {
      this.pressed.add(key);
      one.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) one.addEventListener(kind, () => this.pressed.delete(key));
    return one;
  }

  lists() {
    const { report, world } = this, tabs = part("tabs"), lists = part("lists");
    part("name").textContent = report.name || "glTF";
    document.title = report.name ? `${report.name} · OMI Physics` : "OMI Physics";
    const issues = [...report.issues, ...world.physics.issues.map((/** @type {any} */ one) => ({ severity: "WARNING", code: "", pointer: one.place, message: one.text })),
      ...world.limitations.map((/** @type {any} */ one) => ({ severity: "INFO", code: "", pointer: one.place, message: `This page: ${one.text}` }))];
    const told = new Map();
    for (const issue of issues) {
      const node = (/^\/nodes\/(\d+)/.exec(issue.pointer ?? "") ?? [])[1];
      if (node !== undefined) told.set(Number(node), (told.get(Number(node)) ?? 0) + 1);
    }
    const tree = made("ul", "", { id: "tree" }), found = made("ul", "", { id: "issues" }), log = made("ul", "", { id: "log" });
    for (const one of report.tree) {
      const row = made("li", ""), name = made("button", one.name, { class: "tree" }), count = told.get(one.node);
      row.style.paddingInlineStart = `${Math.min(one.depth, 12) * 0.8}em`;
      if (one.physics.length) name.append(made("small", one.physics.join(", ")));
      if (count) name.append(made("small", `${count} ${count === 1 ? "issue" : "issues"}`, { class: "WARNING" }));
      name.addEventListener("click", () => {
        const body = world.setup.bodyOf.get(one.node);
        if (body !== undefined) this.view.lookAt(body);
      });
      row.append(name);
      tree.append(row);
    }
    for (const issue of issues) {
      const row = made("li", `${issue.code ? `${issue.code} ` : ""}${issue.message}`, { class: issue.severity });
      const node = world.gltf.nodes[Number((/^\/nodes\/(\d+)/.exec(issue.pointer ?? "") ?? [])[1])];
      row.append(made("small", node ? `${node.name} (${issue.pointer})` : issue.pointer ?? ""));
      found.append(row);
    }
    if (!report.tree.length) tree.append(made("li", "The file has no physics."));
    if (!issues.length) found.append(made("li", "Nothing is wrong."));
    for (const [id, label, list] of /** @type {[string, string, HTMLElement][]} */ ([["tab-tree", "Tree", tree], ["tab-issues", `Issues (${issues.length})`, found], ["tab-log", "Triggers", log]])) {
      const tab = made("button", label, { id, role: "tab", "aria-selected": "false" });
      tab.addEventListener("click", () => {
        for (const other of tabs.children) other.setAttribute("aria-selected", String(other === tab));
        lists.replaceChildren(list);
      });
      tabs.append(tab);
    }
    this.logList = log;
    log.append(made("li", world.setup.volumes.length ? "Nothing has come or gone yet." : "The file has no triggers.", { id: "log-empty" }));
    /** @type {HTMLElement} */ (tabs.children[0]).click();
  }

  /** Add what triggers have noticed. */
  log() {
    const { events, setup } = this.world, log = this.logList;
    if (!log || events.length === this.logged) return;
    if (this.logged === 0) log.replaceChildren();
    for (const event of events.slice(Math.max(this.logged ?? 0, events.length - MOST_EVENTS)))
      log.prepend(made("li", `${event.time.toFixed(2)} s: ${setup.bodies[event.body].name} ${event.entered ? "entered" : "left"} ${setup.volumes[event.trigger].name}`));
    while (log.children.length > MOST_EVENTS) log.lastChild?.remove();
    this.logged = events.length;
  }
}

/** The engine, of the bytes in this page. */
async function startJolt() {
  /** @type {(problem: unknown) => void} */
  let refuse = () => {};
  const failed = new Promise((_, reject) => (refuse = reject));
  const instantiateWasm = (/** @type {any} */ imports, /** @type {(one: any) => void} */ done) => {
    WebAssembly.instantiate(wasm, imports).then(({ instance }) => done(instance), refuse);
    return {};
  };
  return Promise.race([initJolt({ instantiateWasm }), failed]);
}

/** Which rows of keys move a vehicle. @param {any} vehicle */
function usefulRows(vehicle) {
  const { record, wheels, nozzles } = vehicle, gyro = record.gyroTorque.map((/** @type {number} */ x) => x > 0);
  const gimbals = nozzles.some((/** @type {any} */ n) => n.record.maxGimbal > 0), hover = vehicle.hasHover, thrusts = nozzles.length > 0;
  const steers = wheels.some((/** @type {any} */ w) => w.record.maxSteeringAngle > 0), drives = wheels.length > 0;
  return [gyro[0] || gimbals || hover, gyro[1] || gimbals || steers, gyro[2] || gimbals || hover, thrusts, thrusts, thrusts || drives];
}

/** @param {any} vehicle @param {number} row */
function wordsOf(vehicle, row) {
  if (vehicle.scheme === "car" && row === 1) return "steer";
  if (vehicle.scheme === "car" && row === 5) return "drive";
  return vehicle.scheme === "throttle" && row === 5 ? "throttle" : AXES[row];
}

async function main() {
  const message = part("message");
  window.addEventListener("error", (event) => fail(event.message));
  window.addEventListener("unhandledrejection", (event) => fail(event.reason?.message ?? String(event.reason)));
  const fail = (/** @type {string} */ why) => {
    message.textContent = `This file cannot be played.\n${why}`;
    message.hidden = false;
    /** @type {any} */ (window).failed = why;
  };
  try {
    const report = JSON.parse(new TextDecoder().decode(ofBase64(part("report").textContent.trim())));
    const player = new Player(report, ofBase64(part("asset").textContent.trim()));
    /** @type {any} */ (window).player = player;
    await player.start();
  } catch (problem) {
    fail(/** @type {Error} */ (problem).message ?? String(problem));
  }
}

main();
