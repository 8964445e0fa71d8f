import { z } from 'zod'
import { Draft, type DraftStep, type SourceFiles, textOf, type Unmapped, yamlOf } from './draft.ts'
import { type Fence, fenced, partsOf, splitFrontMatter } from './markdown.ts'

const application = z.looseObject({ enabled: z.boolean().optional() }).nullish()
const workshop = z.looseObject({
  spec: z.looseObject({
    title: z.string().default(''),
    description: z.string().default(''),
    duration: z.string().default(''),
    session: z
      .looseObject({
        applications: z.record(z.string(), application).nullish(),
        dashboards: z.array(z.looseObject({ name: z.string().optional() })).nullish(),
        objects: z.array(z.unknown()).nullish(),
      })
      .nullish(),
    environment: z.looseObject({ objects: z.array(z.unknown()).nullish() }).nullish(),
  }),
})
const config = z.looseObject({
  pathways: z
    .looseObject({
      default: z.string().optional(),
      paths: z.record(z.string(), z.looseObject({ steps: z.array(z.string()).nullish() })).nullish(),
    })
    .nullish(),
})
const test = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  args: z.array(z.coerce.string()).nullish(),
  url: z.string().nullish(),
  inputs: z.unknown().optional(),
})

export const WORKSHOP = 'resources/workshop.yaml'
const TABS = ['editor', 'console', 'slides', 'files', 'uploads', 'webdav']
const SANDBOX = ['docker', 'registry', 'vcluster', 'git']
const ACTIONS: ReadonlyMap<string, Unmapped> = new Map(
  Object.entries<Unmapped>({
    editor: 'editor-action',
    dashboard: 'dashboard-action',
    files: 'files-action',
    terminal: 'terminal-action',
  }),
)

/** Imports a workshop of Educates. @param folder that contains resources/workshop.yaml, with a slash at its end, or empty */
export function importWorkshop(files: SourceFiles, folder: string): Draft {
  const draft = new Draft(files)
  const file = `${folder}${WORKSHOP}`
  const { spec } = workshop.parse(yamlOf(textOf(files, file)))
  draft.title = spec.title
  draft.summary = spec.description
  draft.minutes = Number(/^(\d+)m/.exec(spec.duration)?.[1] ?? Number(/^(\d+)h/.exec(spec.duration)?.[1] ?? 0.5) * 60)
  draft.unmapped('image', file, null, 'The image is that of the workshop. Choose a template with its programs.')
  const applications = spec.session?.applications ?? {}
  const isEnabled = (name: string) => applications[name]?.enabled === true
  for (const name of TABS) if (isEnabled(name)) draft.unmapped('tab', file, null, `The tab ${name} is not a terminal.`)
  for (const { name = '' } of spec.session?.dashboards ?? [])
    draft.unmapped('tab', file, null, `The dashboard ${name} is a tab.`)
  for (const name of SANDBOX) if (isEnabled(name)) draft.unmapped('sandbox', file, null, `Put ${name} into the image.`)
  for (const objects of [spec.session?.objects, spec.environment?.objects])
    if ((objects ?? []).length > 0)
      draft.unmapped('sandbox', file, null, 'A guide does not create objects of Kubernetes.')

  const own = [...files.keys()].filter((path) => path.startsWith(folder))
  for (const path of own.toSorted())
    if (/^(?:workshop\/)?setup\.d\/[^/]+\.sh$/.test(path.slice(folder.length))) {
      draft.counts.setup++
      draft.setup.push({ file: path, content: textOf(files, path) })
    }
  const content = `${folder}workshop/content/`
  const pages = own.filter((path) => path.startsWith(content) && path.endsWith('.md')).toSorted()
  const steps = pathwayOf(files, folder)
  const placed = steps === null ? pages : steps.map((step) => `${content}${step}.md`)
  for (const path of placed) {
    draft.counts.steps++
    const text = draft.text(path, `${folder}${CONFIG}`)
    draft.steps.push(new PageImporter(draft, folder, path).stepOf(text ?? ''))
  }
  for (const path of pages)
    if (!placed.includes(path))
      draft.unmapped('unreferenced-page', path, null, 'The default pathway does not contain this page.')
  return draft
}

const CONFIG = 'workshop/config.yaml'

/** Returns the pages of the default pathway; null without pathways. */
function pathwayOf(files: SourceFiles, folder: string): readonly string[] | null {
  if (!files.has(`${folder}${CONFIG}`)) return null
  const { pathways } = config.parse(yamlOf(textOf(files, `${folder}${CONFIG}`)) ?? {})
  const paths = pathways?.paths ?? {}
  return paths[pathways?.default ?? Object.keys(paths)[0] ?? '']?.steps ?? null
}

class PageImporter {
  readonly #draft: Draft
  readonly #folder: string
  readonly #path: string
  readonly #tasks: NonNullable<DraftStep['tasks']>[number][] = []

  constructor(draft: Draft, folder: string, path: string) {
    this.#draft = draft
    this.#folder = folder
    this.#path = path
  }

  stepOf(content: string): DraftStep {
    const { matter, body, line: first } = splitFrontMatter(content)
    const title = z.looseObject({ title: z.string() }).safeParse(yamlOf(matter)).data?.title
    const sentence = 'The foreign portal sets this value.'
    this.#draft.unmappedIn('variable', this.#path, content, /\{\{<\s*param\b/g, sentence)
    const text = partsOf(body)
      .map((part) => (part.kind === 'fence' ? this.#fence(part, part.line + first - 1) : part.text))
      .join('\n')
    return { title: title ?? this.#path.split('/').at(-1)!.replace(/\.md$/, ''), text, tasks: this.#tasks }
  }

  #fence(fence: Fence, line: number): string {
    const { counts } = this.#draft
    const name = fence.info.split(/\s+/)[0] ?? ''
    const [kind = '', action] = name.split(':')
    if (name === 'terminal:execute' || name === 'terminal:execute-all')
      return this.#run(fence, this.#value(fence, 'command', line))
    if (/^execute(?:-\w+)?$/.test(name)) return this.#run(fence, fence.body)
    if (kind === 'workshop' && action?.startsWith('copy') === true)
      return this.#copy(fence, this.#value(fence, 'text', line))
    if (/^copy(?:-[\w-]+)?$/.test(name)) return this.#copy(fence, fence.body)
    if (name === 'examiner:execute-test') return this.#test(fence, line)
    if (name === 'section:begin') {
      counts.hints++
      return `<details>\n<summary>${this.#value(fence, 'title', line) || 'More'}</summary>\n`
    }
    if (name === 'section:end') return '\n</details>'
    const unmapped = action === undefined ? undefined : ACTIONS.get(kind)
    if (unmapped === undefined) return fenced(fence)
    this.#draft.unmapped(unmapped, this.#path, line, `A click did ${name}.`)
    return ''
  }

  #run(fence: Fence, command: string): string {
    this.#draft.counts.run++
    return fenced({ ...fence, info: 'sh run', body: command.trimEnd() })
  }

  #copy(fence: Fence, text: string): string {
    this.#draft.counts.copy++
    return fenced({ ...fence, info: 'text copy', body: text.trimEnd() })
  }

  #test(fence: Fence, line: number): string {
    const read = test.safeParse(this.#values(fence, line))
    if (!read.success) {
      this.#draft.note(this.#path, `The test in line ${line} is not understood and left out.`)
      return ''
    }
    const { name, title = name, args, url, inputs } = read.data
    if (typeof url === 'string') this.#draft.unmapped('external-check', this.#path, line, `A service checks ${title}.`)
    else if (inputs !== undefined)
      this.#draft.unmapped('input-form', this.#path, line, `${title} asks the learner for values.`)
    else {
      const program = `${this.#folder}workshop/examiner/tests/${name}`
      const script = this.#draft.script(program, this.#path, { args: args ?? [], as: 'learner' })
      if (script === null) return ''
      this.#draft.counts.tasks++
      this.#draft.counts.checks++
      this.#tasks.push({ title, checks: [{ ...script, title }], solve: [] })
    }
    return ''
  }

  #value(fence: Fence, key: string, line: number): string {
    const value = this.#values(fence, line)?.[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }

  #values(fence: Fence, line: number): Readonly<Record<string, unknown>> | null {
    try {
      const read: unknown = yamlOf(fence.body)
      return z.record(z.string(), z.unknown()).safeParse(read).data ?? null
    } catch {
      this.#draft.note(this.#path, `The values in line ${line} are not understood.`)
      return null
    }
  }
}
