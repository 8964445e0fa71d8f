import { posix } from 'node:path'
import { z } from 'zod'
import { ASSETS_MAX, Draft, type DraftScript, type SourceFiles, textOf } from './draft.ts'
import { detailsIn, fenced, linesOf, partsOf, plainDetails, replaceSpans } from './markdown.ts'

const page = z.looseObject({
  title: z.string().optional(),
  text: z.string().optional(),
  verify: z.string().optional(),
  background: z.string().optional(),
  foreground: z.string().optional(),
  courseData: z.string().optional(),
  code: z.string().optional(),
  answer: z.string().optional(),
})
const asset = z.looseObject({ file: z.string(), target: z.string().optional(), chmod: z.string().optional() })
const scenario = z.looseObject({
  title: z.string().default(''),
  description: z.string().default(''),
  time: z.string().optional(),
  details: z
    .looseObject({
      intro: page.optional(),
      steps: z.array(page).default([]),
      finish: page.optional(),
      assets: z.record(z.string(), z.array(asset)).optional(),
    })
    .default({ steps: [] }),
  environment: z
    .looseObject({ uilayout: z.string().optional(), dashboards: z.array(z.unknown()).optional() })
    .optional(),
  interface: z.looseObject({ layout: z.string().optional() }).optional(),
  backend: z.looseObject({ imageid: z.string().optional() }).optional(),
})
type Page = z.output<typeof page>

const INDEX = 'index.json'

/** Imports a scenario of Killercoda or Katacoda. @param folder of index.json, with a slash at its end, or empty */
export function importKillercoda(
  files: SourceFiles,
  folder: string,
): { readonly draft: Draft; readonly format: 'killercoda' | 'katacoda' } {
  const draft = new Draft(files)
  const index = `${folder}${INDEX}`
  const read = scenario.parse(JSON.parse(textOf(files, index)))
  const { details, environment, backend } = read
  const named = new Set<string>()
  const at = (path: string) => {
    const full = posix.normalize(`${folder}${path}`)
    named.add(full)
    return full
  }
  const text = (path: string | undefined) => {
    if (path === undefined) return null
    const content = draft.text(at(path), index)
    return content === null ? null : convertText(draft, at(path), content)
  }
  const scripts = (of: Page, keys: readonly ('background' | 'courseData')[]): DraftScript[] =>
    keys.flatMap((key) => {
      const path = of[key]
      const script = path === undefined ? null : draft.script(at(path), index)
      if (script !== null) draft.counts.setup++
      return script ?? []
    })
  const foreground = (of: Page) => {
    for (const path of [of.foreground, of.code])
      if (path !== undefined && draft.text(at(path), index) !== null)
        draft.unmapped('foreground', at(path), null, 'The script was typed into the terminal of the learner.')
  }

  draft.title = read.title
  draft.summary = read.description
  draft.minutes = Number(/\d+/.exec(read.time ?? '')?.[0] ?? 30)
  if (backend?.imageid !== undefined)
    draft.unmapped('image', index, null, `The image is ${backend.imageid}. Choose a template with its programs.`)

  if (details.intro !== undefined) {
    const intro = details.intro
    draft.setup.push(...scripts(intro, ['background', 'courseData']))
    foreground(intro)
    if (intro.text !== undefined) {
      draft.counts.intro++
      draft.steps.push({ title: intro.title ?? 'Introduction', text: text(intro.text) ?? '' })
    }
  }
  for (const [number, step] of details.steps.entries()) {
    draft.counts.steps++
    const title = step.title ?? `Step ${number + 1}`
    const body = [text(step.text) ?? '', answerOf(draft, files, step, at, index)].join('')
    const setup = scripts(step, ['background', 'courseData'])
    foreground(step)
    const check = step.verify === undefined ? null : draft.script(at(step.verify), index)
    if (check !== null) {
      draft.counts.tasks++
      draft.counts.checks++
    }
    const tasks = check === null ? [] : [{ title, checks: [{ ...check, title }], solve: [] }]
    draft.steps.push({ title, text: body, setup, tasks })
  }
  if (details.finish !== undefined) {
    const { finish } = details
    if (finish.text !== undefined) {
      draft.counts.finish++
      draft.steps.push({ title: finish.title ?? 'Finish', text: text(finish.text) ?? '' })
    }
    for (const path of [finish.background, finish.foreground, finish.courseData, finish.code])
      if (path !== undefined && draft.text(at(path), index) !== null)
        draft.unmapped('finish-script', at(path), null, 'A guide runs no script after its last step.')
  }
  addAssets(draft, files, folder, details.assets ?? {}, index)

  const layout = read.interface?.layout ?? environment?.uilayout
  if (layout !== undefined && layout !== 'terminal')
    draft.unmapped('tab', index, null, `The layout ${layout} has more than a terminal.`)
  for (const each of environment?.dashboards ?? [])
    draft.unmapped('tab', index, null, `The dashboard ${nameOf(each)} is a tab.`)
  for (const path of files.keys())
    if (path.startsWith(folder) && /(?:^|\/)verify[^/]*\.sh$/.test(path) && !named.has(path))
      draft.unmapped('unreferenced-check', path, null, 'No step names this check.')

  const isKatacoda = environment !== undefined || /"(?:pathwayTitle|uilayout|code)"/.test(textOf(files, index))
  return { draft, format: isKatacoda ? 'katacoda' : 'killercoda' }
}

const nameOf = (value: unknown): string =>
  z.object({ name: z.string() }).safeParse(value).data?.name ?? 'without a name'

/** Returns Katacoda's answer of a step as a part that the learner opens. */
function answerOf(
  draft: Draft,
  files: SourceFiles,
  { answer }: Page,
  at: (path: string) => string,
  index: string,
): string {
  const text = answer === undefined ? null : draft.text(at(answer), index)
  if (answer === undefined || text === null) return ''
  draft.counts.hints++
  // An answer is no page of the guide: what it contains is not counted.
  const apart = new Draft(files)
  const converted = convertText(apart, at(answer), text)
  for (const each of apart.notes) draft.add({ ...each, kind: 'note' })
  return `\n\n<details>\n<summary>Answer</summary>\n\n${converted}\n\n</details>\n`
}

function addAssets(
  draft: Draft,
  files: SourceFiles,
  folder: string,
  assets: Readonly<Record<string, readonly z.output<typeof asset>[]>>,
  index: string,
): void {
  const from = `${folder}assets/`
  const all = Object.values(assets).flat()
  for (const { file } of all.slice(ASSETS_MAX))
    draft.note(index, `The asset ${file} is left out: a guide has ${ASSETS_MAX}.`)
  for (const { file, target = '/root', chmod } of all.slice(0, ASSETS_MAX)) {
    const matches = [...files].filter(([path]) => path.startsWith(from) && matchesGlob(file, path.slice(from.length)))
    if (matches.length === 0) draft.note(index, `No file matches the asset ${file}.`)
    const fixed = file.slice(0, file.search(/[*?[]|$/)).replace(/[^/]*$/, '')
    for (const [path, content] of matches) {
      if (draft.assets.length === ASSETS_MAX) {
        draft.note(path, `The file is not copied to the machine: a guide copies at most ${ASSETS_MAX} files.`)
        continue
      }
      const name = path.slice(from.length + fixed.length)
      const mode =
        chmod !== undefined && /x/.test(chmod) ? '0755' : /^0?[0-7]{3}$/.test(chmod ?? '') ? chmod : undefined
      draft.assets.push({
        from: path,
        to: target.startsWith('~/') ? posix.join(target, name) : posix.join('/', target, name),
        content,
        ...(mode === undefined ? {} : { mode }),
      })
    }
  }
}

const PATH_MAX = 200

/** Returns true if the glob, in which `**` means any folders, matches the path. */
const matchesGlob = (glob: string, path: string): boolean =>
  Math.max(glob.length, path.length) <= PATH_MAX &&
  matchesStars(glob.split('/'), path.split('/'), '**', (pattern, name) =>
    matchesStars([...pattern], [...name], '*', (one, other) => one === other),
  )

/** Matches a list with a pattern in which a star means any parts. The time grows with the product of both lengths. */
function matchesStars(
  pattern: readonly string[],
  parts: readonly string[],
  star: string,
  isEqual: (pattern: string, part: string) => boolean,
): boolean {
  let [at, part, lastStar, mark] = [0, 0, -1, 0]
  while (part < parts.length) {
    if (pattern[at] === star) {
      lastStar = at++
      mark = part
    } else if (at < pattern.length && isEqual(pattern[at]!, parts[part]!)) {
      at++
      part++
    } else if (lastStar >= 0) {
      at = lastStar + 1
      part = ++mark
    } else return false
  }
  while (pattern[at] === star) at++
  return at === pattern.length
}

const VARIABLES = /\{\{TRAFFIC_\w+\}\}|\[\[(?:HOST|KATACODA|CLIENT)\w*\]\]/g

function convertText(draft: Draft, file: string, text: string): string {
  draft.unmappedIn('variable', file, text, VARIABLES, '{} is a value of the foreign portal.')
  return partsOf(text)
    .map((part) => {
      if (part.kind === 'fence') {
        const action = actionOf(draft, file, part.line, /^\{\{([^{}]*)\}\}/.exec(part.tail)?.[1])
        return fenced({ ...part, info: [part.info || (action === '' ? '' : 'sh'), action].filter(Boolean).join(' ') })
      }
      draft.counts.hints += detailsIn(part.text)
      const edits = /<pre\b[^>]{0,500}\bdata-filename/gi
      draft.unmappedIn('editor-action', file, part.text, edits, 'A click changed a file in an editor.', part.line)
      const lineOf = linesOf(part.text, part.line)
      const spans = replaceSpans(part.text, (span, action, index) => {
        const words = actionOf(draft, file, lineOf(index), action)
        return words === '' ? span : `${span}{${words}}`
      })
      return plainDetails(spans)
    })
    .join('\n')
}

/** Counts an action in braces, and returns our words for it. */
function actionOf(draft: Draft, file: string, line: number, action: string | undefined): string {
  const [name = '', ...words] = (action ?? '').trim().split(/\s+/)
  if (name === 'exec' || name === 'execute') {
    draft.counts.run++
    return words.includes('interrupt') ? 'run interrupt' : 'run'
  }
  if (name === 'copy') {
    draft.counts.copy++
    return 'copy'
  }
  if (name === 'open') draft.unmapped('editor-action', file, line, 'A click opened a file in an editor.')
  return ''
}
