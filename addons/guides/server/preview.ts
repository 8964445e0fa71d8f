import type { GuideNode } from '../contract/guide-text.ts'
import { shownFindings } from './format/finding.ts'
import { textOf, tooLarge } from './format/plain-text.ts'
import type { Guide } from './format/schema.ts'
import type { GuideFiles } from './format/zip.ts'
import { readUpload } from './import/read-upload.ts'
import { parseText } from './text/parse-text.ts'

/** Returns a text of edited files as learners see it, and what is wrong with the files. */
export function previewOf(files: GuideFiles, shown: string) {
  const { guide, findings } = readUpload(files, true)
  return { text: textIn(files, shown, guide), findings: shownFindings(findings).shown, total: findings.length }
}

function textIn(files: GuideFiles, path: string, guide: Guide | null): GuideNode[] | null {
  const content = files.get(path)
  if (content === undefined || !path.endsWith('.md') || tooLarge(path, content).length > 0) return null
  const text = textOf(content)
  if (text === null) return null
  const file = path.replace(/^i18n\/[^/]+\//, '')
  const step = guide?.steps.find((each) => each.text === path || each.text === file)
  return parseText(text, { file: path, guide: guide ?? {}, step: step ?? {}, files }).nodes
}
