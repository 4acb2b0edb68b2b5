// Pictures glTF files in a browser without a window. Run by seen_babylon.py:
//
//     node seen_babylon.mjs FOLDER JOB.json
//
// FOLDER has page.mjs, HavokPhysics.wasm and node_modules. The job has "browser", "files" (name,
// path, names, colors, camera), "target", "size", "steps", "folder", which gets
// NAME.TARGET.start.rgb and .later.rgb, and "answer", which gets by name why a file was refused.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [home, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, "utf8"));
const { chromium } = createRequire(join(home, "package.json"))("playwright-core");
const [width, height] = job.size;
const html = `<canvas width=${width} height=${height}></canvas><script type="module" src="/page.mjs"></script>`;

const MOST_MS = 300_000;

const browser = await chromium.launch({
  executablePath: job.browser,
  timeout: MOST_MS,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage();
page.setDefaultTimeout(MOST_MS);
const failed = {};
page.on("pageerror", (error) => (failed[""] = String(error)));
await page.route("**/*", (route) => {
  const name = decodeURIComponent(new URL(route.request().url()).pathname).slice(1);
  if (name === "") return route.fulfill({ contentType: "text/html", body: html });
  const file = job.files.find((each) => `${each.name}.glb` === name);
  if (file) return route.fulfill({ contentType: "model/gltf-binary", body: readFileSync(file.path) });
  if (name === "page.mjs") return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(home, name)) });
  if (name === "HavokPhysics.wasm") return route.fulfill({ contentType: "application/wasm", body: readFileSync(join(home, name)) });
  return route.abort();
});
await page.goto("http://pictures.invalid/");
await page.waitForFunction(() => window.ready);
for (const file of job.files) {
  const asked = { ...file, url: `/${encodeURIComponent(file.name)}.glb` };
  try {
    const found = await page.evaluate(([one, steps]) => window.look(one, steps), [asked, job.steps]);
    for (const when of ["start", "later"]) writeFileSync(join(job.folder, `${file.name}.${job.target}.${when}.rgb`), Buffer.from(found[when], "base64"));
  } catch (error) {
    failed[file.name] = String(error);
  }
}
await browser.close();
writeFileSync(job.answer, JSON.stringify(failed));
