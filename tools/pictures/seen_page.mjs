// The page that shows glTF files in Babylon.js with Havok, in a browser without a window; bundled by
// seen_babylon.py, and called by seen_babylon.mjs.
import "@babylonjs/core/Physics/v2/physicsEngineComponent.js";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent.js";
import "@babylonjs/core/Animations/animatable.js";
import "@babylonjs/core/Helpers/sceneHelpers.js";
import "@babylonjs/core/Materials/standardMaterial.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { Engine } from "@babylonjs/core/Engines/engine.js";
import { Scene } from "@babylonjs/core/scene.js";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial.js";
import { TargetCamera } from "@babylonjs/core/Cameras/targetCamera.js";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin.js";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
import HavokPhysics from "@babylonjs/havok";
import { KHR_ImplicitShapes_Plugin, KHR_PhysicsRigidBodies_Plugin } from "rigid-body-loader";

const STEP = 1 / 60;
const canvas = document.querySelector("canvas");
const engine = new Engine(canvas, false, { preserveDrawingBuffer: true, antialias: false });
registerGLTFExtension("KHR_implicit_shapes", true, (loader) => new KHR_ImplicitShapes_Plugin(loader));
registerGLTFExtension("KHR_physics_rigid_bodies", true, (loader) => new KHR_PhysicsRigidBodies_Plugin(loader));
const havok = HavokPhysics({ locateFile: () => "/HavokPhysics.wasm" });

// From Blender's axes.
const turned = ([x, y, z]) => new Vector3(x, z, -y);

function painted(scene, color) {
  const material = new StandardMaterial("flat", scene);
  material.disableLighting = true;
  material.backFaceCulling = false;
  material.emissiveColor = new Color3(color[0] / 255, color[1] / 255, color[2] / 255);
  return material;
}

// The number of the object that a mesh shows: by its own name, or that of the nearest node above.
function ownerOf(mesh, names) {
  for (let at = mesh; at; at = at.parent) {
    const name = (at.name ?? "").replace(/_primitive\d+$/, "");
    if (names.has(name)) return names.get(name);
  }
  return -1;
}

function pixels(scene) {
  scene.render();
  const gl = engine._gl, { width, height } = canvas;
  const raw = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, raw);
  let out = "";
  for (let y = height - 1; y >= 0; y--)
    for (let x = 0; x < width; x++) for (let c = 0; c < 3; c++) out += String.fromCharCode(raw[4 * (y * width + x) + c]);
  return btoa(out);
}

// Pictures at the start and after some steps, as base64 of red, green and blue, from the top.
window.look = async (file, steps) => {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  scene.clearColor = new Color4(0, 0, 0, 1);
  const plugin = new HavokPlugin(true, await havok);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  scene.physicsEnabled = false; // Or drawing would take a step, too.
  // Instances would share a colour.
  await ImportMeshAsync(file.url, scene, { pluginOptions: { gltf: { createInstances: false } } });
  scene.animationGroups.forEach((group) => group.reset().stop());
  const camera = new TargetCamera("from", turned(file.camera.eye), scene);
  camera.setTarget(turned(file.camera.at));
  [camera.fov, camera.minZ, camera.maxZ] = [file.camera.angle, 0.1, 1000];
  scene.activeCamera = camera;
  const names = new Map(Object.entries(file.names));
  const materials = new Map();
  for (const mesh of scene.meshes) {
    const index = ownerOf(mesh, names);
    if (!materials.has(index)) materials.set(index, painted(scene, file.colors[index] ?? [255, 255, 255]));
    mesh.material = materials.get(index);
  }
  await scene.whenReadyAsync();
  const found = { start: pixels(scene) };
  for (let i = 0; i < steps; i++) scene.getPhysicsEngine()._step(STEP);
  found.later = pixels(scene);
  scene.dispose();
  return found;
};
window.ready = true;
