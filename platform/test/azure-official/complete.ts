import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PROVIDER = 'specification/resources/resource-manager/Microsoft.Authorization'
const MISSING = `${PROVIDER}/common/v2/types.json`

/** Two optional properties of a policy assignment that we never send, so any object is accepted. */
const LOOSE = { ResourceSelector: { type: 'object' }, Override: { type: 'object' } }

/**
 * Returns a root of the official files that oav can read. Policy assignments refer to a file that some copies of the
 * folder lack, and oav silently omits what it cannot resolve. In that case returns a temporary folder of links with the
 * missing file added.
 */
export function completeRoot(root: string): string {
  if (existsSync(path.join(root, MISSING)) || !existsSync(path.join(root, PROVIDER))) return root
  const complete = mkdtempSync(path.join(tmpdir(), 'trainyard-openapi-'))
  linkAll(root, complete, PROVIDER.split('/'))
  mkdirSync(path.join(complete, path.dirname(MISSING)), { recursive: true })
  writeFileSync(
    path.join(complete, MISSING),
    JSON.stringify({ swagger: '2.0', info: { title: 'types', version: 'v2' }, paths: {}, definitions: LOOSE }),
  )
  return complete
}

/** Creates the folders of the path and links everything else. */
function linkAll(from: string, to: string, way: readonly string[]): void {
  const [next, ...rest] = way
  for (const name of readdirSync(from)) {
    if (name === next) continue
    symlinkSync(path.join(from, name), path.join(to, name))
  }
  if (next === undefined) return
  mkdirSync(path.join(to, next))
  linkAll(path.join(from, next), path.join(to, next), rest)
}
