import type { GuideNode } from '../contract/guide-text.ts'
import { type Finding, UnreadableGuide } from './format/finding.ts'
import { textOf } from './format/plain-text.ts'
import { GUIDE_FILE, parseGuide, wrongMarkdown } from './format/read-guide.ts'
import type { Guide } from './format/schema.ts'
import type { GuideFiles } from './format/zip.ts'
import { findingLines, readEdited } from './import/read-upload.ts'
import { parseText } from './text/parse-text.ts'

interface Preview {
  readonly text: GuideNode[] | null
  readonly findings: (Pick<Finding, 'file' | 'at' | 'sentence'> & {
    readonly line: number | null
    readonly isError: boolean
  })[]
}

const FINDINGS_MAX = 200

/** Returns a text of edited files as learners see it, and what is wrong with the files. */
export function previewOf(files: GuideFiles, shown: string): Preview {
  const upload = readEdited(files)
  const lineOf = findingLines(upload)
  const isYamlWrong = upload.findings.some(({ file, kind }) => file === GUIDE_FILE && kind === 'error')
  return {
    text: textIn(files, shown, upload.read?.guide ?? (isYamlWrong ? null : guideIn(files))),
    findings: upload.findings.slice(0, FINDINGS_MAX).map((finding) => ({
      file: finding.file,
      at: finding.at,
      sentence: finding.sentence,
      line: lineOf(finding),
      isError: finding.kind === 'error',
    })),
  }
}

/** Returns guide.yaml if it is correct, also if other files are not. */
function guideIn(files: GuideFiles): Guide | null {
  try {
    return files.has(GUIDE_FILE) ? parseGuide(files) : null
  } catch (error) {
    if (error instanceof UnreadableGuide) return null
    throw error
  }
}

function textIn(files: GuideFiles, path: string, guide: Guide | null): GuideNode[] | null {
  const content = files.get(path)
  if (content === undefined || !path.endsWith('.md') || wrongMarkdown(path, content).length > 0) return null
  const text = textOf(content)
  if (text === null) return null
  const file = path.replace(/^i18n\/[^/]+\//, '')
  const step = guide?.steps.find((each) => each.text === path || each.text === file)
  return parseText(text, { file: path, guide: guide ?? {}, step: step ?? {}, files }).nodes
}
