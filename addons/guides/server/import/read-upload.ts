import '@trainyard/platform/contract/messages.ts'
import { type Finding, isError, UnreadableGuide } from '../format/finding.ts'
import { checkGuide, GUIDE_FILE, type ReadGuide } from '../format/read-guide.ts'
import type { Guide } from '../format/schema.ts'
import type { GuideFiles } from '../format/zip.ts'
import { importGuide, type ImportedGuide } from './import-guide.ts'

export interface ReadUpload {
  /** Null if it cannot be stored. */
  readonly read: ReadGuide | null
  /** What could be read of its guide.yaml. */
  readonly guide: Guide | null
  /** The files to store. */
  readonly files: GuideFiles
  /** Null for a guide in our own format. */
  readonly imported: ImportedGuide | null
  readonly findings: readonly Finding[]
}

/**
 * Reads and checks the files of a guide, and converts those of other products.
 * @param isEdited true for files that were edited in the portal, which are ours
 */
export function readUpload(uploaded: GuideFiles, isEdited = false): ReadUpload {
  let imported: ImportedGuide | null = null
  try {
    imported = isEdited || uploaded.has(GUIDE_FILE) ? null : importGuide(uploaded)
  } catch (error) {
    if (!(error instanceof UnreadableGuide)) throw error
    return { read: null, guide: null, files: uploaded, imported, findings: error.findings }
  }
  const files = imported?.files ?? uploaded
  const { guide, ...checked } = checkGuide(files)
  const isOfAuthor = (path: string) => files === uploaded || uploaded.get(path)?.equals(files.get(path)!) === true
  // The author does not have the files of a conversion, and so not their lines.
  const findings = checked.findings.map((each) => (isOfAuthor(each.file) ? each : { ...each, line: null }))
  const rest = { ...checked, findings }
  const isStorable = guide !== null && !findings.some(isError)
  return { read: isStorable ? { guide, ...rest } : null, guide, files, imported, findings }
}
