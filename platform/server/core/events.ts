import type { RawBuilder } from 'kysely'
import type { PublishedEvent } from '../../contract/published.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Job } from '../run/jobs/job.ts'
import type { ClaimableTable } from '../run/reconcile/claim.ts'
import type { Tables } from './tables.ts'

/** Something that happened in a transaction. */
export interface Event<Row> {
  readonly name: string
  readonly row?: Row
}

export type RowOf<Of> = Of extends Event<infer Row> ? Row : never

export interface Listener {
  readonly to: Event<never>
  readonly run: (tx: Tx, rows: readonly never[]) => Promise<void>
}

export const event = <Row>(name: string): Event<Row> => ({ name })

export const on = <Row>(to: Event<Row>, run: (tx: Tx, rows: readonly Row[]) => Promise<void>): Listener =>
  ({ to, run }) as unknown as Listener

/** A question whose answer other modules know. `On` is `Tx` if answers may write. */
export interface Hook<In, Out, On extends Db = Db> {
  readonly name: string
  /** The answer if no module answers. */
  readonly none: Out
  readonly join: (first: Out, second: Out) => Out
  readonly input?: In
  readonly on?: On
}

export interface Answer {
  readonly to: Hook<never, unknown>
  readonly give: (db: Db, input: never) => Promise<unknown>
}

export const hook = <In, Out, On extends Db = Db>(
  name: string,
  none: Out,
  join: (first: Out, second: Out) => Out,
): Hook<In, Out, On> => ({ name, none, join })

export const answer = <In, Out, On extends Db>(
  to: Hook<In, Out, On>,
  give: (db: On, input: In) => Promise<Out>,
): Answer => ({ to, give }) as unknown as Answer

/** Function that answers a hook. */
export type AnswerTo<To> =
  To extends Hook<infer In, infer Out, infer On>
    ? (db: On, input: In) => Promise<Out>
    : To extends SqlHook<infer In, infer Out>
      ? (input: In) => RawBuilder<Out>
      : never

/** A question whose answers are parts of one SQL statement. */
export interface SqlHook<In, Out> {
  readonly name: string
  readonly join: (answers: readonly RawBuilder<Out>[]) => RawBuilder<Out>
  readonly input?: In
}

interface SqlAnswer {
  readonly to: SqlHook<never, unknown>
  readonly sql: (input: never) => RawBuilder<unknown>
}

/** @param join receives no answers if no module answers */
export const sqlHook = <In, Out>(
  name: string,
  join: (answers: readonly RawBuilder<Out>[]) => RawBuilder<Out>,
): SqlHook<In, Out> => ({ name, join })

export const answerSql = <In, Out>(to: SqlHook<In, Out>, give: (input: In) => RawBuilder<Out>): SqlAnswer =>
  ({ to, sql: give }) as unknown as SqlAnswer

/** Parts of a module that the whole process reads. */
export interface Connected {
  readonly name?: string
  readonly listens?: readonly Listener[]
  readonly answers?: readonly Answer[]
  readonly sqlAnswers?: readonly SqlAnswer[]
  readonly jobs?: readonly { readonly job: Job<unknown> }[]
  readonly kinds?: readonly { readonly table: ClaimableTable }[]
  readonly tables?: Tables
  /** Events that other systems can subscribe to, by type. */
  readonly publishes?: Readonly<Record<string, PublishedEvent>>
}

let connected: readonly Connected[] | null = null

/** Connects the modules of this process. Later calls of `emit` and `ask` reach them in this order. */
export function connectModules(modules: readonly Connected[]): void {
  connected = modules
}

/** Runs the listeners of an event in the transaction of its cause, in the order of the modules. */
export async function emit<Row>(tx: Tx, happened: Event<Row>, rows: readonly Row[]): Promise<void> {
  const modules = connectedModules()
  if (rows.length === 0) return
  for (const { listens = [] } of modules)
    for (const { to, run } of listens) if (to === happened) await run(tx, rows as readonly never[])
}

/** Returns the joined answers of all modules. */
export async function ask<In, Out, On extends Db>(db: On, asked: Hook<In, Out, On>, input: In): Promise<Out> {
  let joined = asked.none
  for (const { answers = [] } of connectedModules())
    for (const { to, give } of answers)
      if (to === (asked as unknown)) joined = asked.join(joined, (await give(db, input as never)) as Out)
  return joined
}

/** Returns the joined SQL of all modules, in their order. Call it when the statement is built, not when a file loads. */
export const sqlOf = <In, Out>(asked: SqlHook<In, Out>, input: In): RawBuilder<Out> =>
  asked.join(
    connectedModules().flatMap(({ sqlAnswers = [] }) =>
      sqlAnswers.filter(({ to }) => to === asked).map(({ sql }) => sql(input as never) as RawBuilder<Out>),
    ),
  )

/** Throws if no modules are connected, because the process would lose effects unnoticed. */
export function connectedModules(): readonly Connected[] {
  if (connected === null) throw new Error('The modules are not connected.')
  return connected
}
