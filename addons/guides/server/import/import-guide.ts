import { z } from 'zod'
import { IMPORT_FORMATS } from '../../contract/guide-words.ts'
import { UnreadableGuide, errorAt } from '../format/finding.ts'
import type { GuideFiles } from '../format/zip.ts'
import type { Draft, ImportCounts, ImportNote, SourceFiles } from './draft.ts'
import { importWorkshop, WORKSHOP } from './educates.ts'
import { importLab } from './instruqt-lab.ts'
import { importTrack } from './instruqt-track.ts'
import { importKillercoda } from './killercoda.ts'
import { importCloudLab, importMarkdownLab, MASTERDOC } from './markdown-labs.ts'

type ImportFormat = (typeof IMPORT_FORMATS)[number]

export interface ImportedGuide {
  readonly format: ImportFormat
  readonly counts: Readonly<ImportCounts>
  /** Parts that were not mapped, and advice for the author. */
  readonly notes: readonly ImportNote[]
  /** The guide in our own format. */
  readonly files: GuideFiles
}

/**
 * Converts a guide of another product. What cannot be mapped is in the notes, with its file and line.
 * @param path folder of the guide, or its file
 * @throws UnreadableGuide if the files are no guide of a known format
 */
export function importGuide(files: SourceFiles, path = rootOf(files)): ImportedGuide {
  const { format, draft } = read(files, path)
  return { format, counts: draft.counts, notes: draft.notes, files: draft.build() }
}

/** Returns the folder of the only guide; empty for the files as a whole. */
function rootOf(files: SourceFiles): string {
  const roots = [...files.keys()].flatMap((path) => ROOT.exec(path)?.[1] ?? [])
  if (roots.length > 1 && !roots.includes(''))
    throw new UnreadableGuide([
      errorAt('', '', `The files contain ${roots.length} guides: ${roots.slice(0, 5).join(', ')}. Choose one of them.`),
    ])
  return roots.length === 1 ? roots[0]!.replace(/\/$/, '') : ''
}

/** Files that are at the root of a guide. */
const ROOT = /^((?:.*\/)?)(?:index\.json|track\.yml|masterdoc\.json|resources\/workshop\.yaml)$/

function read(files: SourceFiles, path: string): { readonly format: ImportFormat; readonly draft: Draft } {
  const folder = path === '' ? '' : `${path}/`
  const has = (name: string) => files.has(`${folder}${name}`)
  try {
    if (has('index.json')) return importKillercoda(files, folder)
    if (has('track.yml')) return { format: 'instruqt-track', draft: importTrack(files, folder) }
    if (has(WORKSHOP)) return { format: 'educates', draft: importWorkshop(files, folder) }
    if (has(MASTERDOC)) return { format: 'cloudlabs', draft: importCloudLab(files, folder) }
    const own = [...files.keys()].filter((each) => each.startsWith(folder)).map((each) => each.slice(folder.length))
    if (own.some((each) => /^[^/]+\.hcl$/.test(each)))
      return { format: 'instruqt-lab', draft: importLab(files, folder) }
    // Our own guide with another name must not be stored as a text without checks.
    if (own.some((each) => /^guide\.ya?ml$/i.test(each)))
      throw new UnreadableGuide([errorAt('guide.yaml', '', 'The file of a guide must be named guide.yaml.')])
    const texts = own.filter((each) => each.endsWith('.md'))
    const file = texts.length === 1 ? `${folder}${texts[0]}` : path
    if (files.has(file)) return { format: 'mslearn-markdown', draft: importMarkdownLab(files, file) }
  } catch (error) {
    if (error instanceof UnreadableGuide) throw error
    throw new UnreadableGuide([errorAt(path, '', `The guide is not understood: ${reasonOf(error)}`)])
  }
  throw new UnreadableGuide([
    errorAt(
      path,
      '',
      'There is no guide.yaml, no guide of Killercoda, Katacoda, Instruqt, Educates or CloudLabs, and no single Markdown file.',
    ),
  ])
}

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ')
    : (error as Error).message
