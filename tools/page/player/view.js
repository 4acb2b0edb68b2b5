/** What is seen: the file's meshes at the places of their bodies, and lines over them. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { COLOURS, crossOf, drawn, linesOf } from "./lines.js";

const MOST_LABELS = 200;

export class View {
  /** @param {HTMLCanvasElement} canvas @param {HTMLElement} labels */
  constructor(canvas, labels) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(45, 1, 0.01, 5000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 2));
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(3, 8, 5);
    this.scene.add(sun);
    this.shown = { shapes: false, joints: false, triggers: false, names: false };
    this.groups = { shapes: new THREE.Group(), joints: new THREE.Group(), triggers: new THREE.Group() };
    for (const group of Object.values(this.groups)) this.scene.add(group);
    this.labels = labels;
    /** @type {THREE.AnimationMixer | null} */
    this.mixer = null;
    /** @type {(THREE.Object3D | null)[]} */
    this.objects = [];
    /** @type {{object: THREE.Object3D, matrix: () => THREE.Matrix4}[]} */
    this.following = [];
  }

  /** Read the meshes; why that failed, or null. @param {ArrayBuffer} bytes @returns {Promise<string | null>} */
  async read(bytes) {
    try {
      const gltf = await new GLTFLoader().parseAsync(bytes, "");
      const count = gltf.parser.json.nodes?.length ?? 0;
      this.objects = await Promise.all(Array.from({ length: count }, (_, i) => gltf.parser.getDependency("node", i)));
      this.root = gltf.scene;
      this.scene.add(gltf.scene);
      if (gltf.animations.length) {
        this.mixer = new THREE.AnimationMixer(gltf.scene);
        for (const clip of gltf.animations) {
          const action = this.mixer.clipAction(clip);
          action.loop = THREE.LoopOnce;
          action.clampWhenFinished = true;
          action.play();
        }
      }
      return null;
    } catch (problem) {
      return /** @type {Error} */ (problem).message;
    }
  }

  /** Show another world. @param {any} world */
  show(world) {
    this.world = world;
    for (const group of Object.values(this.groups)) {
      group.traverse((one) => /** @type {any} */ (one).geometry?.dispose());
      group.clear();
    }
    this.following = [];
    const { bodies, volumes, joints } = world.setup, depth = (/** @type {number} */ at) => (at < 0 ? 0 : 1 + depth(world.gltf.nodes[at].parent));
    const stretched = (/** @type {number[]} */ m) => new THREE.Matrix4().set(m[0], m[3], m[6], 0, m[1], m[4], m[7], 0, m[2], m[5], m[8], 0, 0, 0, 0, 1);
    const matrixOf = (/** @type {any} */ pose) => new THREE.Matrix4().compose(new THREE.Vector3(...pose.place), new THREE.Quaternion(...pose.turn), ONE);
    const places = [];
    bodies.forEach((/** @type {any} */ body, /** @type {number} */ i) => {
      if (body.type !== "static") places.push({ node: body.node, matrix: () => matrixOf(world.pose(i)).multiply(stretched(body.stretch)) });
      for (const solid of body.solids) this._line("shapes", linesOf(solid.form), COLOURS[/** @type {keyof COLOURS} */ (body.type)], () => matrixOf(world.pose(i)).multiply(matrixOf(solid)));
    });
    for (const vehicle of world.vehicles)
      for (const part of [...vehicle.wheels, ...vehicle.nozzles]) {
        const whole = new THREE.Matrix4().fromArray(world.gltf.nodes[part.node].world), turn = matrixOf(world.poseOf(part.frame));
        const rest = turn.invert().multiply(whole);
        places.push({ node: part.node, matrix: () => matrixOf(world.pose(vehicle.body)).multiply(matrixOf(part.shown())).multiply(rest) });
      }
    places.sort((a, b) => depth(a.node) - depth(b.node));
    for (const { node, matrix } of places) {
      const object = this.objects[node];
      if (!object) continue;
      object.matrixAutoUpdate = false;
      this.following.push({ object, matrix });
    }
    volumes.forEach((/** @type {any} */ volume) => {
      for (const solid of volume.solids) this._line("triggers", linesOf(solid.form), COLOURS.trigger, () => matrixOf(world.poseOf(volume.frame)).multiply(matrixOf(solid)));
    });
    const size = 0.04 * this.reach();
    for (const joint of joints) for (const end of [joint.first, joint.second]) this._line("joints", crossOf(size), COLOURS.joint, () => matrixOf(world.poseOf(end)));
    this.labels.replaceChildren();
    this.named = bodies.slice(0, MOST_LABELS).map((/** @type {any} */ body, /** @type {number} */ i) => {
      const label = document.createElement("span");
      label.textContent = body.name;
      this.labels.append(label);
      return { label, at: i };
    });
  }

  /** @param {"shapes" | "joints" | "triggers"} kind @param {THREE.BufferGeometry} geometry @param {number} colour @param {() => THREE.Matrix4} matrix */
  _line(kind, geometry, colour, matrix) {
    const lines = drawn(geometry, colour);
    lines.matrixAutoUpdate = false;
    lines.userData.matrix = matrix;
    this.groups[kind].add(lines);
  }

  /** How far the bodies reach, m; planes and large grounds aside. */
  reach() {
    const { low, high } = this.bounds();
    return Math.max(...high.map((x, i) => x - low[i]), 0.1);
  }

  bounds() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], bodies = this.world?.setup.bodies ?? [];
    const moving = bodies.filter((/** @type {any} */ b) => b.type === "dynamic"), chosen = moving.length ? moving : bodies;
    for (const body of chosen)
      for (let i = 0; i < 3; i++) {
        const extent = 0.5 * Math.max(...body.solids.map(extentOf), 0.2);
        low[i] = Math.min(low[i], body.pose.place[i] - extent);
        high[i] = Math.max(high[i], body.pose.place[i] + extent);
      }
    return Number.isFinite(low[0]) ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
  }

  /** Look at all that moves. */
  frame() {
    const { low, high } = this.bounds(), middle = new THREE.Vector3(...low.map((x, i) => (x + high[i]) / 2)), radius = Math.max(0.5 * Math.hypot(...high.map((x, i) => x - low[i])), 0.3);
    const narrow = Math.min(1, this.camera.aspect), away = (1.35 * radius) / (Math.sin((this.camera.fov * Math.PI) / 360) * narrow);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).add(new THREE.Vector3(0.55, 0.42, 0.72).normalize().multiplyScalar(away));
    this.camera.near = Math.max(away / 1000, 0.001);
    this.camera.far = away * 100 + 1000;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Look at a body. @param {number} at */
  lookAt(at) {
    const target = new THREE.Vector3(...this.world.pose(at).place), way = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(way);
    this.controls.update();
  }

  /** Move the camera along with a body. @param {number[]} by m */
  carry(by) {
    const way = new THREE.Vector3(...by);
    this.controls.target.add(way);
    this.camera.position.add(way);
  }

  /** The ray under a pointer. @param {PointerEvent} event */
  rayOf(event) {
    const box = this.canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.camera);
    return { origin: caster.ray.origin.toArray(), direction: caster.ray.direction.toArray(), ahead: this.camera.getWorldDirection(new THREE.Vector3()).toArray() };
  }

  /** @param {string} colour */
  paint(colour) {
    this.scene.background = new THREE.Color(colour);
  }

  draw() {
    const { width, height } = this.canvas.getBoundingClientRect(), ratio = Math.min(window.devicePixelRatio || 1, 2);
    if (this.renderer.getPixelRatio() !== ratio || this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(height, 1);
      this.camera.updateProjectionMatrix();
    }
    this.mixer?.setTime(this.world.time);
    const inverse = new THREE.Matrix4();
    for (const { object, matrix } of this.following) {
      const { parent } = object;
      parent?.updateWorldMatrix(true, false);
      object.matrix.copy(parent ? inverse.copy(parent.matrixWorld).invert() : inverse.identity()).multiply(matrix());
      object.matrixWorldNeedsUpdate = true;
    }
    for (const [kind, group] of Object.entries(this.groups)) {
      group.visible = this.shown[/** @type {keyof View["shown"]} */ (kind)];
      if (!group.visible) continue;
      for (const one of group.children) {
        one.matrix.copy(one.userData.matrix());
        one.matrixWorldNeedsUpdate = true;
      }
    }
    this.labels.hidden = !this.shown.names;
    if (this.shown.names) this._name(width, height);
    this.renderer.render(this.scene, this.camera);
  }

  /** @param {number} width @param {number} height */
  _name(width, height) {
    const at = new THREE.Vector3();
    for (const { label, at: body } of this.named ?? []) {
      at.set(.../** @type {[number, number, number]} */ (this.world.pose(body).place)).project(this.camera);
      label.hidden = !(at.z > -1 && at.z < 1);
      label.style.transform = `translate(${((at.x + 1) / 2) * width}px, ${((1 - at.y) / 2) * height}px)`;
    }
  }
}

const ONE = new THREE.Vector3(1, 1, 1);

/** @param {any} solid */
function extentOf({ form }) {
  if (form.type === "box") return Math.max(...form.size);
  if (form.type === "sphere") return 2 * form.radius;
  if (form.type === "plane") return 0;
  if (form.type === "mesh") return 2 * Math.max(...form.corners.map((/** @type {number[]} */ c) => Math.hypot(...c)), 0);
  return form.height + 2 * Math.max(form.radiusBottom, form.radiusTop);
}
