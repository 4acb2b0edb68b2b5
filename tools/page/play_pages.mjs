// Opens pages that play in a browser without a window and without a network, plays each, uses its
// controls where that is asked for, and writes what came of it. Run by player_pages.py:
//
//     node play_pages.mjs JOB.json
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const software = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const MOST_MS = 300_000;
const browser = await chromium.launch({ executablePath: job.browser, timeout: MOST_MS, args: ["--no-sandbox", ...software] });

// Everything that a person can do with the controls; what is not so is told.
async function useControls(page, touch) {
  const wrong = [], click = (id) => (touch ? page.tap(`#${id}`) : page.click(`#${id}`));
  const expect = async (what, script, wanted = true) => {
    const found = await page.evaluate(script);
    if (found !== wanted) wrong.push(`${what}: ${JSON.stringify(found)}`);
  };
  const time = "player.world.time";
  await page.evaluate("player.play(true)");
  await click("play");
  await expect("Pause stops", "player.isPlaying", false);
  const before = await page.evaluate(time);
  await click("step");
  await expect("Step goes on by 1/60 s", `Math.abs(${time} - ${before} - 1/60) < 1e-6`);
  for (const kind of ["shapes", "joints", "triggers", "names"]) {
    const was = await page.evaluate(`player.view.shown.${kind}`);
    await click(kind);
    await expect(`${kind} switch`, `player.view.shown.${kind}`, !was);
    await page.evaluate("player.view.draw()");
    if (kind !== "names") await expect(`${kind} are seen`, `player.view.groups.${kind}.visible`, !was);
    else await expect("names are seen", "!player.view.labels.hidden", !was);
  }
  await page.selectOption("#speed", "¼×");
  await expect("Speed", "player.speed", 0.25);
  await click("view");
  for (const id of ["tab-issues", "tab-log", "tab-tree"]) {
    if (touch && (await page.evaluate("document.getElementById('side').classList.contains('closed')"))) await click("toggle");
    await click(id);
    await expect(`${id} is chosen`, `document.getElementById("${id}").getAttribute("aria-selected")`, "true");
  }
  const rows = await page.evaluate("document.querySelectorAll('#tree button').length");
  if (rows) await (touch ? page.tap("#tree button >> nth=0") : page.click("#tree button >> nth=0"));
  const closed = await page.evaluate("document.getElementById('side').classList.contains('closed')");
  await click("toggle");
  await expect("Panel opens and closes", "document.getElementById('side').classList.contains('closed')", !closed);
  for (const theme of ["dark", "light", "dark"]) {
    if ((await page.evaluate("player.isDark")) === (theme === "dark")) continue;
    await click("theme");
    await expect(`Theme ${theme}`, "player.isDark", theme === "dark");
  }
  if (await page.evaluate("!document.getElementById('keys').hidden")) {
    await click("follow");
    await expect("Follow", "player.isFollowing");
    const key = await page.evaluate("document.querySelector('#keys .key').dataset.key");
    const box = await page.locator("#keys .key >> nth=0").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await expect("A key is held", `player.pressed.has(${JSON.stringify(key)})`);
    await page.mouse.up();
    await expect("A key is let go", "player.pressed.size", 0);
    if (!touch) {
      await page.keyboard.down("w");
      await expect("W is held", "player.pressed.has('W')");
      await page.evaluate("player.go(2)");
      await expect("W tells the vehicle", "[...player.world.vehicles[player.active].linear, ...player.world.vehicles[player.active].angular].some((x) => x !== 0)");
      await page.keyboard.up("w");
    }
  }
  await click("reset");
  await expect("Reset goes to the start", `${time} < 0.01`);
  await expect("A body is pulled by the mouse", await pull(page), true);
  await page.evaluate("player.play(false), player.reset()");
  return wrong;
}

// Where on the screen a body that moves is, and that the mouse pulls it there.
async function pull(page) {
  const at = await page.evaluate(`(() => {
    const { world, view } = player;
    view.frame(); view.draw();
    const box = view.canvas.getBoundingClientRect();
    for (let y = 0.2; y < 0.8; y += 0.02) for (let x = 0.3; x < 0.75; x += 0.02) {
      const event = { clientX: box.width * x, clientY: box.height * y };
      if (document.elementFromPoint(event.clientX, event.clientY) !== view.canvas) continue;
      const ray = view.rayOf(event), hit = world.cast(ray.origin, ray.direction, 1e4, -1);
      if (hit.distance < Infinity && world.isMovable(hit.body)) return [event.clientX, event.clientY];
    }
    return null;
  })()`);
  if (!at) return true; // Nothing that moves is in sight.
  await page.mouse.move(...at);
  await page.mouse.down();
  const held = await page.evaluate("player.world.pulled !== null");
  await page.mouse.move(at[0] + 40, at[1] - 40, { steps: 3 });
  const moved = await page.evaluate("(() => { const { pulled, setup } = player.world; return !!pulled && Math.hypot(...pulled.to.map((x, i) => x - setup.bodies[pulled.body].pose.place[i])) > 0; })()");
  await page.mouse.up();
  const free = await page.evaluate("player.world.pulled === null && player.view.controls.enabled");
  return held && moved && free;
}

const answers = [];
for (const one of job.pages) {
  const answer = { name: one.name, errors: [], requests: [], wrong: [], bodies: {}, ready: 0, loadTime: 0, frameTime: null };
  const context = await browser.newContext({ viewport: { width: job.width, height: job.height }, hasTouch: job.touch, isMobile: job.touch, colorScheme: job.scheme, offline: true, deviceScaleFactor: 1 });
  const page = await context.newPage();
  page.setDefaultTimeout(MOST_MS);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && answer.errors.push(message.text()));
  page.on("pageerror", (error) => answer.errors.push(error.message));
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && answer.requests.push(request.url()));
  try {
    const began = Date.now();
    await page.goto(pathToFileURL(one.path).href);
    // A page that allows no code from texts cannot be waited for by one.
    const until = began + MOST_MS;
    while (!(await page.evaluate("!!(window.failed || window.player?.loadTime)")) && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
    answer.ready = Date.now() - began;
    answer.failed = await page.evaluate("window.failed ?? ''");
    answer.loadTime = await page.evaluate("window.player?.loadTime ?? 0");
    answer.alerts = await page.evaluate("window.hostile ?? 0");
    if (!answer.failed) {
      await page.evaluate("player.play(false), player.reset()");
      if (one.frames) answer.frameTime = await page.evaluate(`(() => {
        const from = performance.now();
        for (let i = 0; i < ${one.frames}; i++) { player.go(player.rate / 60); player.view.draw(); }
        return (performance.now() - from) / ${one.frames};
      })()`);
      else {
        const every = job.perSecond || 1 / job.seconds;
        answer.bodies = await page.evaluate(`(() => {
          const { world, rate } = player, { bodies } = world.setup;
          const tracks = Object.fromEntries(bodies.map(({ name }) => [name, []]));
          const note = () => bodies.forEach(({ name }, i) => { const { place, turn } = world.pose(i); tracks[name].push([...place, ...turn]); });
          note();
          for (let i = 1, steps = 0; i <= Math.round(${job.seconds * every}); i++) {
            const until = Math.round((i * rate) / ${every});
            player.go(until - steps);
            steps = until;
            note();
          }
          return tracks;
        })()`);
        await page.evaluate("player.view.draw(), player.log()");
      }
      if (one.shot) await page.screenshot({ path: one.shot });
      if (job.controls) answer.wrong = await useControls(page, job.touch);
      answer.failed = await page.evaluate("window.failed ?? ''");
    }
    answer.text = await page.evaluate("document.body.innerText");
  } catch (error) { answer.errors.push(String(error.message ?? error).split("\n")[0]); }
  await context.close();
  answers.push(answer);
}
await browser.close();
writeFileSync(job.answer, JSON.stringify(answers));
