// Makes omi_physics_addon/page/player.html, and the licences of what is in it:
//
//     npm ci && node build.mjs [FOLDER]
//
// Equal sources make equal bytes. FOLDER is where the files go instead.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../../omi_physics_addon/page");
const LICENCES = { "three.js": "node_modules/three/LICENSE", "Jolt Physics": "node_modules/jolt-physics/LICENSE", "Reader of physics in glTF": "reader/LICENSE" };

const read = (name) => readFileSync(join(here, name), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const made = await build({
  entryPoints: [join(here, "player/page.js")],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  external: ["node:module"],
  loader: { ".wasm": "binary" },
  define: { "import.meta.url": "document.baseURI" },
  logLevel: "error",
});
const script = made.outputFiles[0].text.trim(), style = read("player/page.css").trim();
if (/<\/script|<!--/i.test(script)) throw new Error("the script would end itself");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  "img-src blob: data:",
  "connect-src blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
let page = read("player/page.html");
for (const [mark, text] of [["@POLICY@", policy], ["@STYLE@", style], ["@SCRIPT@", script]]) page = page.replace(mark, () => text);
const licences = Object.entries(LICENCES).map(([name, path]) => `${name}\n${"=".repeat(name.length)}\n\n${read(path).trim()}\n`).join("\n");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "player.html"), page);
writeFileSync(join(out, "LICENSES.txt"), licences);
console.log(`${join(out, "player.html")}: ${Buffer.byteLength(page)} bytes`);
