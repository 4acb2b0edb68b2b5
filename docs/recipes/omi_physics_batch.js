// A job type for Flamenco 3: one command of omi-physics over many files, in parts on many workers.
// Put this file into the folder "scripts" beside flamenco-manager. See README.md.

const JOB_TYPE = {
    label: "OMI Physics Batch",
    description: "Export, convert, check or mend the physics of many files",
    settings: [
        { key: "command", type: "string", required: true, default: "export",
          choices: ["export", "convert", "check", "fix"],
          description: "What to do with each file" },
        { key: "source", type: "string", subtype: "dir_path", required: true,
          description: "Folder with the files, or a glob" },
        { key: "into", type: "string", subtype: "dir_path", required: true,
          description: "Folder for what is written, which all workers see" },
        { key: "parts", type: "int32", default: 8, required: true,
          description: "How many tasks to make of it" },
        { key: "jobs", type: "int32", default: 2, required: true,
          description: "How many processes each worker uses" },
        { key: "options", type: "string", required: false, default: "",
          description: "Options of the command, such as --family khr" },
        { key: "blender", type: "string", required: false, default: "", visible: "submission",
          description: "Blender for export, such as {blender}; the bpy module when empty" },
        { key: "program", type: "string", required: true, default: "omi-physics",
          visible: "submission",
          description: "The program on the workers, or a variable of the manager" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    if (settings.parts < 1) {
        throw "parts must be above 0";
    }
    const parts = [];
    for (let part = 1; part <= settings.parts; part++) {
        const task = batchTask(`part-${part}`, settings, [`--part=${part}/${settings.parts}`]);
        parts.push(task);
        job.addTask(task);
    }
    // Everything is done by now: this one writes the summary of all parts, and fails where files did.
    const summary = batchTask("summary", settings, []);
    for (const part of parts) {
        summary.addDependency(part);
    }
    job.addTask(summary);
}

function batchTask(name, settings, more) {
    const args = ["batch", settings.command, settings.source, `--into=${settings.into}`,
                  `--jobs=${settings.jobs}`];
    if (settings.options) {
        args.push(`--options=${settings.options}`);
    }
    if (settings.blender) {
        args.push(`--blender=${settings.blender}`);
    }
    const task = author.Task(name, "misc");
    task.addCommand(author.Command("exec", { exe: settings.program, args: args.concat(more) }));
    return task;
}
