import '@trainyard/platform/contract/messages.ts'
import { type Finding, UnreadableGuide } from '../format/finding.ts'
import { GUIDE_FILE, readGuide, type ReadGuide } from '../format/read-guide.ts'
import { linesOf } from '../format/yaml.ts'
import type { GuideFiles } from '../format/zip.ts'
import { importGuide, type ImportedGuide } from './import-guide.ts'

export interface ReadUpload {
  /** Null if it cannot be stored. */
  readonly read: ReadGuide | null
  /** The files to store. */
  readonly files: GuideFiles
  /** Null for a guide in our own format. */
  readonly imported: ImportedGuide | null
  /** Why it cannot be stored, otherwise warnings. */
  readonly findings: readonly Finding[]
}

/** Reads and checks the files of a guide, and converts those of other products. */
export function readUpload(uploaded: GuideFiles): ReadUpload {
  let imported: ImportedGuide | null = null
  try {
    imported = uploaded.has(GUIDE_FILE) ? null : importGuide(uploaded)
    const files = imported?.files ?? uploaded
    const read = readGuide(files)
    return { read, files, imported, findings: read.findings }
  } catch (error) {
    if (!(error instanceof UnreadableGuide)) throw error
    return { read: null, files: uploaded, imported, findings: error.findings }
  }
}

/** Reads and checks files that were edited in the portal. */
export function readEdited(files: GuideFiles): ReadUpload {
  try {
    const read = readGuide(files)
    return { read, files, imported: null, findings: read.findings }
  } catch (error) {
    if (!(error instanceof UnreadableGuide)) throw error
    return { read: null, files, imported: null, findings: error.findings }
  }
}

/**
 * Returns a function for the line of a finding; null if it concerns the whole file, or a file that the conversion made.
 * guide.yaml is parsed once, because a text of some kB takes a tenth of a second.
 */
export function findingLines({ files, imported }: ReadUpload): (finding: Finding) => number | null {
  let lines: ReturnType<typeof linesOf> | null = null
  return ({ file, at }) => {
    const line = /^line (\d+)$/.exec(at)?.[1]
    if (line !== undefined) return Number(line)
    const content = imported === null && file === GUIDE_FILE && at !== '' ? files.get(file) : undefined
    if (content === undefined) return null
    lines ??= linesOf(content.toString())
    return lines(at.split('.'))
  }
}
