import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { out } from './out.ts'

/** Size in bytes. Only the API reference and the desktop's engine are larger; their pages load them once. */
const LARGE = 1_000_000

/** Compresses at build time, so that the server does not at run time. */
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js|css|html|svg|wasm)$/.test(entry.name)) continue
  const file = join(entry.parentPath, entry.name)
  const content = readFileSync(file)
  writeFileSync(`${file}.br`, smallest(content))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
}

// The server compares the sizes at start, so that it never serves a build that was copied in part. This file is written
// last.
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== '.files.json')
  .map((entry) => join(entry.parentPath, entry.name))
const sizes = Object.fromEntries(files.map((file) => [relative(out, file), statSync(file).size]))
writeFileSync(join(out, '.files.json'), JSON.stringify(sizes))

/** Returns the smallest result of several block sizes: the best one depends on the content. */
function smallest(content: Buffer): Buffer {
  // For large files, the maximum quality would save a tenth but take ten times as long: 10 s for the API reference.
  const [quality, blocks] = content.length > LARGE ? [9, [0]] : [11, [0, 16, 17]]
  const results = blocks.map((block) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_LGBLOCK]: block,
      },
    }),
  )
  return results.reduce((best, each) => (each.length < best.length ? each : best))
}
