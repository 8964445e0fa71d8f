import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { problemWith } from '@trainyard/remote-access/server/files.ts'
import { targetOf } from '@trainyard/remote-access/server/transfer.ts'
import { CLICK_SECONDS, type GuideScript } from '../format/schema.ts'
import type { Script, ScriptConnection, ScriptResult, Scripts } from '../machine/script.ts'
import { filesOf } from '../store.ts'
import { type OpenGuide, release, reserve, variablesOf } from './own-run.ts'

export interface ScriptDependencies {
  readonly scripts: Scripts
  readonly seal: Pick<Seal, 'open'>
}

/** Runs the scripts of a click, one after the other. */
export interface ScriptRunner {
  /** @param paths files that the scripts need */
  run(script: Pick<GuideScript, 'args' | 'as'> & Pick<Script, 'text' | 'seconds' | 'outputMax'>): Promise<ScriptResult>
  readonly texts: ReadonlyMap<string, Buffer>
  /** Seconds that are left. */
  left(): number
}

/**
 * Connects to the machine of a run, on a separate connection, and reserves the machine until `work` ends.
 * @throws Problem if the machine is in use or cannot be reached
 */
export async function withMachine<T>(
  db: Db,
  own: OpenGuide,
  {
    scripts,
    seal,
    files,
    isClick,
    isKept = false,
  }: ScriptDependencies & { readonly files: readonly string[]; readonly isClick: boolean; readonly isKept?: boolean },
  work: (runner: ScriptRunner) => Promise<T>,
): Promise<T> {
  await reserve(db, own.run, CLICK_SECONDS + 30, { isClick })
  let connection: ScriptConnection | null = null
  try {
    const texts = await filesOf(db, own.version.id, [...new Set(files)])
    const deadline = performance.now() + CLICK_SECONDS * 1_000
    const left = () => Math.max(1, Math.floor((deadline - performance.now()) / 1_000))
    const signal = AbortSignal.timeout((CLICK_SECONDS + 15) * 1_000)
    connection = await scripts.open(await targetOf(db, own.machine, seal), signal, { isKept })
    const open = connection
    const variables = environmentFor(own.version, own.machine.admin_username, variablesOf(own.run))
    return await work({
      texts,
      left,
      run: ({ text, args = [], as, seconds }) =>
        open.run({ text, args, as, seconds: Math.min(seconds, left()), variables }),
    })
  } catch (error) {
    throw problemWith(error, own.machine.name, '')
  } finally {
    connection?.close()
    await release(db, own.run.id)
  }
}

/** Returns the environment of a guide's scripts. */
export const environmentFor = (
  { slug, number }: Pick<OpenGuide['version'], 'slug' | 'number'>,
  account: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> => ({
  GUIDE_ID: slug,
  GUIDE_VERSION: String(number),
  GUIDE_ACCOUNT: account,
  ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`VAR_${name.toUpperCase()}`, value])),
})
