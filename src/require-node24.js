// Plain JavaScript, loaded before the TypeScript entry: an older Node cannot read TypeScript at all.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Askback needs Node 24.12 or newer; this is ${process.version} (${process.execPath}).\n` +
      'Run `npm ci` without --omit=dev (it brings its own Node 24) and start it by `npm start`, or install Node 24.',
  );
  process.exit(1);
}
