import { z } from 'zod'
import { Draft, type DraftScript, type DraftStep, type SourceFiles, textOf, type Unmapped, yamlOf } from './draft.ts'
import { detailsIn, fenced, partsOf, plainDetails, splitFrontMatter } from './markdown.ts'

/** A text that can be absent or empty in YAML. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const tab = z.looseObject({ title: z.string().optional(), type: z.string().optional() })
const challenge = z.looseObject({
  slug: z.string().optional(),
  type: z.string().default('challenge'),
  title: text,
  teaser: text,
  assignment: text,
  tabs: z.array(tab).nullish(),
  answers: z.array(z.coerce.string()).nullish(),
  solution: z.array(z.coerce.number()).nullish(),
  notes: z.array(z.looseObject({ type: z.string().optional(), contents: z.string().optional() })).nullish(),
})
type Challenge = z.output<typeof challenge>
const track = z.looseObject({
  title: text,
  teaser: text,
  description: text,
  timelimit: z.number().optional(),
  challenges: z.array(challenge).nullish(),
})
const named = z.array(z.looseObject({ name: z.string().optional() })).nullish()
const config = z.looseObject({
  virtualmachines: named,
  containers: named,
  secrets: named,
  virtualbrowsers: named,
  gcp_projects: named,
  aws_accounts: named,
  azure_subscriptions: named,
  sandbox_preset: z.string().nullish(),
})

const TRACK = 'track.yml'
const CONFIG = 'config.yml'
const ASSIGNMENT = 'assignment.md'

/** Imports a track of Instruqt. @param folder of track.yml, with a slash at its end, or empty */
export function importTrack(files: SourceFiles, folder: string): Draft {
  const draft = new Draft(files)
  const own = [...files.keys()].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
  const read = track.parse(yamlOf(textOf(files, `${folder}${TRACK}`)) ?? {})
  draft.title = read.title
  draft.summary = read.teaser
  if (read.timelimit !== undefined) draft.minutes = read.timelimit / 60
  readConfig(draft, files, folder)

  const scriptsIn = (within: string, begin: string) => {
    const found = own.filter(
      (path) => path.startsWith(`${within}/${begin}-`) && !path.slice(within.length + 1).includes('/'),
    )
    return found.toSorted().map((path): DraftScript => {
      const machine = path.slice(`${within}/${begin}-`.length)
      // A script of a host that the portal does not know runs on the first machine.
      const known = draft.machines.includes(machine) ? { machine } : {}
      return { ...known, file: `${folder}${path}`, content: textOf(files, `${folder}${path}`) }
    })
  }
  const cleanups = (within: string) => {
    for (const { file } of scriptsIn(within, 'cleanup'))
      draft.unmapped('cleanup', file, null, 'A machine is reset or deleted; nothing is cleaned up on it.')
  }
  draft.setup.push(...scriptsIn('track_scripts', 'setup'))
  draft.counts.setup += draft.setup.length
  cleanups('track_scripts')

  const folders = [...new Set(own.flatMap((path) => /^([^/]+)\/assignment\.md$/.exec(path)?.[1] ?? []))].toSorted()
  const placed = folders.length > 0 ? folders : (read.challenges ?? []).map(({ slug = '' }) => slug)
  for (const [index, within] of placed.entries()) {
    const file = folders.length > 0 ? `${folder}${within}/${ASSIGNMENT}` : `${folder}${TRACK}`
    const of = folders.length > 0 ? readAssignment(textOf(files, file)) : challengeOf(read.challenges![index]!)
    draft.counts.steps++
    draft.steps.push(stepOf(draft, file, of, (begin) => scriptsIn(within, begin)))
    cleanups(within)
  }
  for (const path of own) {
    const [, within] = /^([^/]+)\/check-[^/]+$/.exec(path) ?? []
    if (within !== undefined && !placed.includes(within))
      draft.unmapped('unreferenced-check', `${folder}${path}`, null, 'No challenge has this check.')
  }
  return draft
}

function readConfig(draft: Draft, files: SourceFiles, folder: string): void {
  const file = `${folder}${CONFIG}`
  if (!files.has(file)) return
  const read = config.parse(yamlOf(textOf(files, file)) ?? {})
  const machines = [...(read.virtualmachines ?? []), ...(read.containers ?? [])]
  for (const { name = '', image } of machines)
    draft.unmapped(
      'image',
      file,
      null,
      `The image of ${name} is ${String(image)}. Choose a template with its programs.`,
    )
  if (machines.length === 0 && typeof read.sandbox_preset === 'string')
    draft.unmapped('image', file, null, `The machines are those of the preset ${read.sandbox_preset}.`)
  draft.machines = machines.flatMap(({ name }) => name ?? [])
  const absent: [Unmapped, z.output<typeof named>, (name: string) => string][] = [
    ['secret', read.secrets, (name) => `The secret ${name} is not part of a guide.`],
    ['virtual-browser', read.virtualbrowsers, (name) => `The virtual browser ${name} is not supported.`],
    ...[read.gcp_projects, read.aws_accounts, read.azure_subscriptions].map((of): (typeof absent)[number] => [
      'cloud-account',
      of,
      (name) => `The cloud account ${name} is not part of a guide. Use a cloud sandbox.`,
    ]),
  ]
  for (const [kind, all, sentence] of absent)
    for (const { name = '' } of all ?? []) draft.unmapped(kind, file, null, sentence(name))
}

interface Assignment {
  readonly challenge: Challenge
  readonly text: string
  /** Number of the line where the text begins. */
  readonly line: number
  /** Front matter, which can contain variables too. */
  readonly matter: string
}

function readAssignment(content: string): Assignment {
  const { matter, body, line } = splitFrontMatter(content)
  return { challenge: challenge.parse(yamlOf(matter) ?? {}), text: body, line, matter }
}

const challengeOf = (of: Challenge): Assignment => ({
  challenge: of,
  text: of.assignment,
  line: 1,
  matter: JSON.stringify({ ...of, assignment: undefined }),
})

function stepOf(
  draft: Draft,
  file: string,
  { challenge: of, text, line, matter }: Assignment,
  scripts: (begin: string) => readonly DraftScript[],
): DraftStep {
  const title = of.title || of.slug || 'Untitled'
  for (const [part, first] of [
    [matter, 2],
    [text, line],
  ] as const)
    draft.unmappedIn('variable', file, part, /\[\[\s*Instruqt-Var/g, 'A foreign script sets this variable.', first)
  for (const { title: name = '', type } of of.tabs ?? [])
    if (type !== undefined && type !== 'terminal')
      draft.unmapped('tab', file, null, `The tab ${name} of the type ${type} is not a terminal.`)
  const setup = scripts('setup')
  const checks = scripts('check')
  const solve = scripts('solve')
  draft.counts.setup += setup.length
  draft.counts.checks += checks.length
  draft.counts.solveScripts += solve.length
  if (checks.length > 0) draft.counts.tasks++
  if (solve.length > 0) draft.counts.solvedTasks++
  if (solve.length > 0 && checks.length === 0)
    for (const { file: unused } of solve)
      draft.note(unused, 'The challenge has a solution and no check, so it has no task. The script is left out.')
  const tasks =
    checks.length === 0
      ? []
      : [{ title, checks: checks.map((check) => ({ ...check, title: titleOf(title, check, checks.length) })), solve }]
  const notes = (of.notes ?? []).flatMap(({ type, contents = '' }) =>
    type === 'text' && contents !== '' ? [contents] : [],
  )
  for (const { type, url } of of.notes ?? [])
    if (type !== 'text') draft.note(file, `The note of the type ${type} became a link: ${String(url)}`)
  const links = (of.notes ?? []).flatMap(({ type, url }) =>
    type !== 'text' && typeof url === 'string' ? [`<${url}>`] : [],
  )
  const body = [...notes, ...links, convertText(draft, text)].join('\n\n')
  return { title, text: body, setup, tasks, questions: of.type === 'quiz' ? questionsOf(draft, file, of, text) : [] }
}

const titleOf = (title: string, { machine }: DraftScript, count: number): string =>
  count > 1 && machine !== undefined ? `${title} (${machine})` : title

function questionsOf(draft: Draft, file: string, of: Challenge, text: string): NonNullable<DraftStep['questions']> {
  draft.counts.questions++
  const choices = [...(of.answers ?? [])]
  const answer = of.solution ?? []
  if (choices.length < 2 || answer.length === 0) {
    draft.note(file, 'The question has fewer than two answers or no solution, so it is left out.')
    return []
  }
  if (choices.length > 10)
    draft.note(file, 'The question has more than 10 answers; those after the tenth are left out.')
  const question = (of.teaser || text).replace(/\s+/g, ' ').trim().slice(0, 500) || 'Which answer is right?'
  const shown = choices.slice(0, 10).map((each) => each.slice(0, 200) || '-')
  return [
    {
      kind: answer.length > 1 ? 'many' : 'one',
      text: question,
      choices: shown,
      answer: answer.length > 1 ? [...answer] : answer[0]!,
    },
  ]
}

function convertText(draft: Draft, text: string): string {
  return partsOf(text)
    .map((part) => {
      if (part.kind === 'prose') {
        draft.counts.hints += detailsIn(part.text)
        return plainDetails(part.text)
      }
      const words = part.info.split(/[\s,]+/).filter(Boolean)
      const action = words.includes('run') ? 'run' : words.includes('copy') ? 'copy' : ''
      if (action !== '') draft.counts[action]++
      const language = words.find((word) => !['run', 'copy', 'nocopy', 'line-numbers', 'wrap'].includes(word))
      return fenced({ ...part, info: [language ?? (action === '' ? '' : 'sh'), action].filter(Boolean).join(' ') })
    })
    .join('\n')
}
