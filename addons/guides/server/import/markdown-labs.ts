import { z } from 'zod'
import { Draft, type DraftStep, type SourceFiles, textOf, type Unmapped, yamlOf } from './draft.ts'
import { detailsIn, partsOf, splitFrontMatter } from './markdown.ts'

const masterdoc = z.array(
  z.looseObject({
    Name: z.string().default(''),
    Files: z.array(z.looseObject({ RawFilePath: z.string(), Order: z.number().default(0) })),
  }),
)

export const MASTERDOC = 'masterdoc.json'

/**
 * Imports a lab of CloudLabs or Skillable, whose checks are not in its files.
 * @param folder of masterdoc.json, with a slash at its end, or empty
 */
export function importCloudLab(files: SourceFiles, folder: string): Draft {
  const draft = new Draft(files)
  const file = `${folder}${MASTERDOC}`
  const [first] = masterdoc.parse(JSON.parse(textOf(files, file)))
  draft.title = first?.Name ?? ''
  for (const { RawFilePath: address } of (first?.Files ?? []).toSorted((one, other) => one.Order - other.Order)) {
    draft.counts.steps++
    const wanted = pathOf(address)
    const path = withinFiles(files, wanted)
    const text = draft.text(path, file) ?? ''
    draft.steps.push(stepOf(draft, path, text))
  }
  return draft
}

/** Returns the path in its repository of a file whose address is given, with or without encoded characters. */
function pathOf(address: string): string {
  const raw = /^https?:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/(?:refs\/(?:heads|tags)\/)?[^/]+\/(.*)$/.exec(
    address,
  )
  const path = raw?.[1] ?? address.replace(/^https?:\/\/[^/]+\//, '')
  try {
    return decodeURIComponent(path.replace(/\?.*$/, ''))
  } catch {
    return path
  }
}

const PARTS_MAX = 50

/** Returns the path of the file, also if the files are only a folder of the repository. */
function withinFiles(files: SourceFiles, path: string): string {
  const parts = path.split('/', PARTS_MAX)
  for (let from = 0; from < parts.length; from++) {
    const rest = parts.slice(from).join('/')
    if (files.has(rest)) return rest
  }
  return path
}

function stepOf(draft: Draft, file: string, text: string): DraftStep {
  const title = /^#{1,6}[ \t](.+)$/m.exec(text)?.[1] ?? file.split('/').at(-1)!.replace(/\.md$/, '')
  reportText(draft, file, text)
  return { title, text }
}

const FOREIGN: readonly (readonly [RegExp, Unmapped, string])[] = [
  [/<inject\s+key=/g, 'variable', 'The foreign portal inserts this value.'],
  [/@lab\.(?!Activity)\w+/g, 'variable', 'The foreign portal inserts this value.'],
  [/<validation\b/g, 'external-check', 'The check is in the foreign portal, not in these files.'],
  [/@lab\.Activity\b/g, 'external-check', 'The check is in the foreign portal, not in these files.'],
]

/** Reports what the text has that a guide has not, and counts its hints. */
function reportText(draft: Draft, file: string, text: string): void {
  for (const [pattern, kind, sentence] of FOREIGN) draft.unmappedIn(kind, file, text, pattern, sentence)
  for (const part of partsOf(text)) if (part.kind === 'prose') draft.counts.hints += detailsIn(part.text)
}

const HEADING = /^##\s+(?:Task|Exercise)\b.*$/gim

/** Imports a lab of Microsoft: one Markdown file whose headings are its steps. */
export function importMarkdownLab(files: SourceFiles, file: string): Draft {
  const draft = new Draft(files)
  const { matter, body } = splitFrontMatter(textOf(files, file))
  const title = z.looseObject({ lab: z.looseObject({ title: z.string() }) }).safeParse(matterOf(matter)).data?.lab.title
  draft.title = title ?? /^#[ \t](.+)$/m.exec(body)?.[1] ?? file.split('/').at(-1)!.replace(/\.md$/, '')
  const headings = headingsIn(body)
  const intro = body.slice(0, headings[0] ?? body.length).trim()
  reportText(draft, file, body)
  if (intro !== '') draft.steps.push({ title: 'Introduction', text: intro })
  for (const [number, start] of headings.entries()) {
    draft.counts.steps++
    const text = body.slice(start, headings[number + 1] ?? body.length).trim()
    draft.steps.push({ title: text.split('\n')[0]!.replace(/^#+\s*/, ''), text })
  }
  return draft
}

/** Returns where the headings of steps begin, outside of fences. */
const headingsIn = (text: string): number[] => {
  const starts = [0]
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1)
  return partsOf(text).flatMap((part) =>
    part.kind === 'fence' ? [] : [...part.text.matchAll(HEADING)].map(({ index }) => starts[part.line - 1]! + index),
  )
}

function matterOf(matter: string): unknown {
  try {
    return yamlOf(matter)
  } catch {
    return null
  }
}
