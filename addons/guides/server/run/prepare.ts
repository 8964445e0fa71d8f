import { sql } from 'kysely'
import type { GuideRunId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { GuideScript, GuideTask } from '../format/schema.ts'
import { TIMEOUTS } from '../format/schema.ts'
import { messageOf } from '../machine/outcome.ts'
import { quoted } from '../machine/script.ts'
import { type Attempt, storeSolveAsked } from './check.ts'
import type { OpenGuide } from './own-run.ts'
import { type ScriptDependencies, type ScriptRunner, withMachine } from './scripts.ts'

export interface Prepared {
  readonly attempts: readonly Attempt[]
  readonly isComplete: boolean
}

export const NOTHING_TO_PREPARE: Prepared = { attempts: [], isComplete: true }

interface Part {
  /** A step, or an empty text for the guide. */
  readonly name: string
  readonly scripts: readonly GuideScript[]
  readonly seconds: number
}

/** Runs the setup of the guide and of a step, as far as they have not run. @throws Problem */
export async function runSetups(
  db: Db,
  own: OpenGuide,
  step: string,
  dependencies: ScriptDependencies,
): Promise<Prepared> {
  const { guide, run } = own
  const parts: Part[] = [
    { name: '', scripts: guide.setup ?? [], seconds: TIMEOUTS.setup },
    { name: step, scripts: guide.steps.find(({ id }) => id === step)?.setup ?? [], seconds: TIMEOUTS.stepSetup },
  ]
  const copies = guide.files ?? []
  const due = parts.filter(
    ({ name, scripts }) => !run.prepared.includes(name) && (scripts.length > 0 || (name === '' && copies.length > 0)),
  )
  if (due.length === 0) return NOTHING_TO_PREPARE
  const files = [
    ...due.flatMap(({ scripts }) => scripts.map((script) => script.run)),
    ...copies.map(({ from }) => from),
  ]
  return withMachine(db, own, { ...dependencies, files, isClick: false }, async (runner) => {
    const attempts: Attempt[] = []
    for (const { name, scripts, seconds } of due) {
      if (name === '') for (const copy of copies) attempts.push(await runCopy(runner, copy))
      attempts.push(...(await runAll(runner, scripts, { name: 'setup', seconds })))
      if (attempts.some(({ state }) => state !== 'green')) return { attempts, isComplete: false }
      await storePrepared(db, run.id, name)
    }
    return { attempts, isComplete: true }
  })
}

/** Stores at once that a part has run, so that it does not run again if a later part loses the connection. */
async function storePrepared(db: Db, run: GuideRunId, part: string): Promise<void> {
  await db
    .updateTable('guide_run')
    .set({ prepared: sql<string[]>`array_append(prepared, ${part})` })
    .where('id', '=', run)
    .execute()
}

/** Runs the solution of a task. @throws Problem */
export async function runSolve(
  db: Db,
  own: OpenGuide,
  { id, solve = [] }: GuideTask,
  dependencies: ScriptDependencies,
): Promise<readonly Attempt[]> {
  const files = solve.map(({ run }) => run)
  return withMachine(db, own, { ...dependencies, files, isClick: false }, async (runner) => {
    // Stored before the first script: a script that fails, or whose connection breaks, may have done the task.
    await db.transaction().execute((tx) => storeSolveAsked(tx, own, id))
    return runAll(runner, solve, { name: 'solve', seconds: TIMEOUTS.solve })
  })
}

/** Runs scripts until one fails. */
export async function runAll(
  runner: ScriptRunner,
  scripts: readonly GuideScript[],
  { name, seconds }: { readonly name: string; readonly seconds: number },
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { run, args = [], as, timeout = seconds } of scripts) {
    const text = runner.texts.get(run)!.toString('utf8')
    const result = await runner.run({ text, args, as, seconds: timeout })
    const state = result.status === 0 ? 'green' : 'broken'
    attempts.push({ script: name, state, message: messageOf(result), result })
    if (state !== 'green') break
  }
  return attempts
}

/** Writes a file of the guide to the machine, as root. A path with ~ is in the home directory of the learner. */
export async function runCopy(
  runner: ScriptRunner,
  { from, to, mode = '0644', owner }: NonNullable<OpenGuide['guide']['files']>[number],
): Promise<Attempt> {
  const isAtHome = to.startsWith('~/')
  const account = owner ?? (isAtHome ? '$GUIDE_ACCOUNT' : 'root')
  const text = [
    '#!/bin/bash',
    'set -eu',
    isAtHome ? `to=$(getent passwd "$GUIDE_ACCOUNT" | cut -d: -f6)/${quoted(to.slice(2))}` : `to=${quoted(to)}`,
    'mkdir -p "$(dirname "$to")"',
    'base64 -d > "$to" << \'END\'',
    runner.texts.get(from)!.toString('base64').replace(/.{76}/g, '$&\n'),
    'END',
    `chmod ${mode} "$to"`,
    `chown ${account.startsWith('$') ? `"${account}"` : account} "$to"`,
    '',
  ].join('\n')
  const result = await runner.run({ text, args: [], as: 'root', seconds: TIMEOUTS.solve })
  return { script: 'file', state: result.status === 0 ? 'green' : 'broken', message: from, result }
}
