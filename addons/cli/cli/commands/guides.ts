import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { filesIn } from '@trainyard/guides/server/format/files-in.ts'
import { type Finding, isError, UnreadableGuide } from '@trainyard/guides/server/format/finding.ts'
import { pointsOfTask, tasksOf } from '@trainyard/guides/server/format/schema.ts'
import { type GuideFiles, readZip } from '@trainyard/guides/server/format/zip.ts'
import { zipOfFiles } from '@trainyard/guides/server/format/zip-of.ts'
import { readUpload, type ReadUpload } from '@trainyard/guides/server/import/read-upload.ts'
import { dataOf, type Schemas } from '../api/client.ts'
import type { CommandContext, Register } from '../command-context.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Output } from '../output.ts'

type Proof = Schemas['ListGuideProofsReply']['proofs'][number]
type Fault = Proof['faults'][number]

const POLL_MS = 1_000
const SOURCE = 'folder or zip archive of the guide'
const SOURCE_OR_GIT = `${SOURCE}, or address of a public Git repository`
const REF = ['--ref <name>', 'branch, tag or commit in Git; without it the default branch'] as const
const FOLDER = ['--folder <path>', 'folder of the guide in Git'] as const

/** Registers the commands for authors of lab guides. `lint` needs neither a portal nor a key. */
export function registerGuides(program: Command, inContext: Parameters<Register>[1], out: Output): void {
  const guides = program.command('guides').description('Check, prove and publish lab guides')
  guides
    .command('lint')
    .description('Check a guide as the upload does, without a portal')
    .argument('<source>', SOURCE)
    .action((source: string) => void report(source, out))
  guides
    .command('prove')
    .description('Upload a guide as a draft, prove it on a fresh machine of a template, and show its faults')
    .argument('<source>', SOURCE_OR_GIT)
    .option(...REF)
    .option(...FOLDER)
    .option('--template <name>', 'template of the machine; without it the only one')
    .action(inContext(prove))
  guides
    .command('publish')
    .description('Upload a guide and publish it, so that trainings can use it')
    .argument('<source>', SOURCE_OR_GIT)
    .option(...REF)
    .option(...FOLDER)
    .option('--reason <text>', 'why a version that is not proven is published')
    .action(inContext(publish))
}

function filesOf(source: string): GuideFiles {
  const state = statSync(source, { throwIfNoEntry: false })
  if (state === undefined) throw new Failure(EXIT.usage, `${source} does not exist.`)
  return state.isDirectory() ? filesIn(source) : readZip(readFileSync(source))
}

/** Checks a guide and writes what was found, with file and line. @throws Failure if it has errors */
function report(source: string, out: Output): ReadUpload {
  const upload = read(source)
  const notes = upload.imported?.notes ?? []
  const { read: guide, findings } = upload
  const lines = [
    ...notes.map(({ file, line, sentence }) => lineFor(source, { file, line, kind: 'note', sentence })),
    // The files of a conversion are not in the source.
    ...findings.map((finding) => lineFor(upload.imported === null ? source : '', finding)),
  ]
  out.result({ guide: guide?.guide.id ?? null, notes, findings }, lines.join('\n'))
  const errors = findings.filter(isError).length
  if (guide === null)
    throw new Failure(EXIT.failed, errors === 1 ? 'The guide has 1 error.' : `The guide has ${errors} errors.`)
  const tasks = tasksOf(guide.guide)
  const points = tasks.reduce((sum, task) => sum + pointsOfTask(task), 0)
  out.note(`${guide.guide.id}: ${guide.guide.steps.length} steps, ${tasks.length} tasks, ${points} points, no errors.`)
  return upload
}

function read(source: string): ReadUpload {
  try {
    return readUpload(filesOf(source))
  } catch (error) {
    if (!(error instanceof UnreadableGuide)) throw error
    return { read: null, guide: null, files: new Map(), imported: null, findings: error.findings }
  }
}

interface Place extends Pick<Finding, 'file' | 'line' | 'sentence'> {
  readonly at?: string
  readonly kind: string
}

/** Returns `file:line: kind: field: sentence`, as compilers write it. */
function lineFor(source: string, { file, line, at = '', kind, sentence }: Place): string {
  const path = file === '' || file === 'zip' ? source : source.endsWith('.zip') ? file : join(source, file)
  return [[path, ...(line === null ? [] : [line])].join(':'), kind, at, sentence].filter(Boolean).join(': ')
}

interface ProveOptions extends GitOptions {
  readonly template?: string
}

interface PublishOptions extends GitOptions {
  readonly reason?: string
}

interface GitOptions {
  readonly ref?: string
  readonly folder?: string
}

/** Stores a guide as a draft: from this computer after the checks of `lint`, or from Git. */
async function upload(context: CommandContext, source: string, { ref, folder }: GitOptions) {
  const out = context.out
  const headers = { 'idempotency-key': crypto.randomUUID() }
  if (/^https?:\/\//.test(source)) {
    const place = { url: source, ...(ref !== undefined && { ref }), ...(folder !== undefined && { folder }) }
    const body = { ...context.organizationOption(), ...place }
    const fetched = await dataOf(context.client.POST('/api/guides/git', { headers, body }))
    out.note(`${fetched.message}\nCommit: ${fetched.source.commit}`)
    return fetched
  }
  const { json } = out
  // Only the result of the command itself is written as JSON.
  out.json = false
  try {
    report(source, out)
  } finally {
    out.json = json
  }
  const bytes = zipOfFiles(filesOf(source)).toString('base64')
  const body = { ...context.organizationOption(), bytes }
  const stored = await dataOf(context.client.POST('/api/guides', { headers, body }))
  out.note(stored.message)
  return stored
}

async function publish(context: CommandContext, source: string, { reason, ...git }: PublishOptions): Promise<void> {
  const { guide, number } = await upload(context, source, git)
  const body = { ...context.organizationOption(), guide, number, ...(reason !== undefined && { reason }) }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { message } = await dataOf(context.client.POST('/api/guides/publish', { headers, body }))
  context.out.note(message)
  context.out.result({ guide, number, message }, '')
}

async function prove(context: CommandContext, source: string, { template, ...git }: ProveOptions): Promise<void> {
  const { out, client } = context
  const { guide, number } = await upload(context, source, git)
  const list = () => {
    const query = { ...context.organizationOption(), guide }
    return dataOf(client.GET('/api/guides/proofs', { params: { query } }))
  }
  const templateName = template ?? onlyOne((await list()).templates.map((each) => each.templateName))
  const body = { ...context.organizationOption(), guide, number, templateName }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { message, id } = await dataOf(client.POST('/api/guides/proofs', { headers, body }))
  out.note(message)
  let shown = ''
  for (;;) {
    const proof = (await list()).proofs.find((each) => each.id === id)
    if (proof === undefined) throw new Failure(EXIT.notFound, 'The portal no longer lists the proof.')
    if (proof.state !== 'running') return showResult(out, proof)
    const at = [proof.phase, proof.step, proof.task].filter((part) => part !== '').join(', ')
    if (at !== shown && !out.json) out.note(at)
    shown = at
    await delay(POLL_MS)
  }
}

function onlyOne(templates: readonly string[]): string {
  if (templates.length === 1) return templates[0]!
  throw new Failure(EXIT.usage, templates.length === 0 ? 'There is no template for Linux.' : 'Choose a template.', {
    hint: templates.map((each) => `--template ${JSON.stringify(each)}`).join('\n'),
  })
}

/** @throws Failure unless the guide is proven */
function showResult(out: Output, proof: Proof): void {
  const { state, faults, reason, seconds, templateName, image } = proof
  out.result(proof, faults.map(lineOfFault).join('\n'))
  const took = seconds === null ? '' : `, after ${seconds} s`
  const sentence = `${state[0]!.toUpperCase()}${state.slice(1)} on ${templateName} (${image})${took}.`
  if (state === 'proven') return out.note(sentence)
  throw new Failure(EXIT.failed, reason === null ? sentence : `${sentence} ${reason}`)
}

function lineOfFault({ kind, step, task, script, exitStatus, message, errorOutput }: Fault): string {
  const place = [step, task, script].filter((part) => part !== '').join('/')
  const status = exitStatus === null ? '' : ` (exit status ${exitStatus})`
  const output = errorOutput.trimEnd()
  return `${place}: ${kind}${status}: ${message}${output === '' ? '' : `\n${output.replaceAll(/^/gm, '  ')}`}`
}
