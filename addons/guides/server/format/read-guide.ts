import type { z } from 'zod'
import type { GuideNode } from '../../contract/guide-text.ts'
import { parseText, wrongHints } from '../text/parse-text.ts'
import { errorAt, type Finding, isError, limited, UnreadableGuide } from './finding.ts'
import { type Guide, GUIDE_LIMITS, guidePath, guideSchema } from './schema.ts'
import { scriptFiles, wrongReferences } from './references.ts'
import { hiddenTexts, textOf, tooLarge } from './plain-text.ts'
import { readPart } from './readable-part.ts'
import { wrongScript } from './script-text.ts'
import { readTranslations, type Translation } from './translations.ts'
import { readYaml } from './yaml.ts'
import type { GuideFiles } from './zip.ts'

export const GUIDE_FILE = 'guide.yaml'

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/, 'a private key'],
  [/\bAKIA[0-9A-Z]{16}\b/, 'an access key of AWS'],
  [/\bgh[pousr]_[A-Za-z0-9]{36}\b/, 'a token of GitHub'],
  [/\bglpat-[A-Za-z0-9_-]{20}/, 'a token of GitLab'],
  [/\bxox[abprs]-[A-Za-z0-9-]{10,}/, 'a token of Slack'],
]

export interface ReadGuide {
  readonly guide: Guide
  /** Texts of the steps, by the step. */
  readonly texts: Readonly<Record<string, readonly GuideNode[]>>
  /** By language. */
  readonly translations: Readonly<Record<string, Translation>>
  readonly findings: readonly Finding[]
}

/** Reads and checks all files of a guide. @throws UnreadableGuide with all errors and warnings, if there is an error */
export function readGuide(files: GuideFiles): ReadGuide {
  const { guide, ...read } = checkGuide(files)
  if (guide === null || read.findings.some(isError)) throw new UnreadableGuide(read.findings)
  return { guide, ...read }
}

/**
 * Returns all that is wrong with the files of a guide, and what can be read of them. One fault does not hide another,
 * except in a file that cannot be read.
 */
export function checkGuide(files: GuideFiles): Omit<ReadGuide, 'guide'> & { readonly guide: Guide | null } {
  const findings = wrongFiles(files)
  const unread = { guide: null, texts: {}, translations: {} }
  if (findings.some(({ file }) => file === '') || !files.has(GUIDE_FILE)) return { ...unread, findings }
  const { guide, ...yaml } = parseGuide(files)
  findings.push(...yaml.findings)
  if (guide === null) return { ...unread, findings }
  const { texts, findings: ofTexts } = readTexts(guide, files)
  const { translations, findings: ofTranslations } = readTranslations(guide, files)
  const ofGuide = [
    ...wrongReferences(guide, new Set(files.keys()), yaml.isIncomplete),
    ...wrongHints(guide, guide, GUIDE_FILE),
  ]
  findings.push(...ofGuide.map((finding) => ({ ...finding, ...yaml.placeOf(finding) })))
  for (const path of scriptFiles(guide)) if (files.has(path)) findings.push(...wrongScript(path, files.get(path)!))
  findings.push(...ofTexts, ...ofTranslations)
  const partly = new Set(incompleteParts(guide, yaml.isIncomplete))
  const isOfLost = ({ sentence }: Finding) => {
    if (partly.has(/^The (.+) are \d+, and \d+ in the translation\.$/.exec(sentence)?.[1] ?? '')) return true
    const [, kind, id] = /\bno (\w+) (\S+)\.$/.exec(sentence) ?? []
    return kind !== undefined && yaml.isLost(kind, id!)
  }
  const own = findings.filter((finding) => !isOfLost(finding))
  return { guide, texts, translations, findings: [...Map.groupBy(own, ({ file }) => file).values()].flatMap(inOrder) }
}

/** Returns the hints and choices of which some were left out, so that a translation need not fit them. */
const incompleteParts = ({ steps }: Guide, isIncomplete: (at: string, fields: readonly string[]) => boolean) =>
  steps.flatMap(({ tasks = [], questions = [] }, step) => [
    ...tasks.flatMap(({ id }, task) =>
      isIncomplete(`steps.${step}.tasks.${task}`, ['hints']) ? [`hints of the task ${id}`] : [],
    ),
    ...questions.flatMap(({ id }, question) =>
      isIncomplete(`steps.${step}.questions.${question}`, ['choices']) ? [`choices of the question ${id}`] : [],
    ),
  ])

const inOrder = (findings: readonly Finding[]) => findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))

function readTexts(guide: Guide, files: GuideFiles): Pick<ReadGuide, 'texts'> & { readonly findings: Finding[] } {
  const findings: Finding[] = []
  const texts: Record<string, readonly GuideNode[]> = {}
  let bytes = 0
  for (const step of guide.steps) {
    const content = files.get(step.text)
    if (content === undefined || tooLarge(step.text, content).length > 0) continue
    bytes += content.length
    if (bytes > GUIDE_LIMITS.texts) {
      findings.push(errorAt(step.text, '', 'The texts of all steps are larger than 512 kB.'))
      break
    }
    const text = textOf(content)
    if (text === null) {
      findings.push(errorAt(step.text, '', 'The text is not UTF-8.'))
      continue
    }
    const parsed = parseText(text, { file: step.text, guide, step, files })
    findings.push(...parsed.findings)
    texts[step.id] = parsed.nodes
  }
  return { texts, findings }
}

function wrongFiles(files: GuideFiles): Finding[] {
  if (files.size > GUIDE_LIMITS.files) return [errorAt('', '', `The guide has more than ${GUIDE_LIMITS.files} files.`)]
  let total = 0
  const findings = files.has(GUIDE_FILE) ? [] : [errorAt(GUIDE_FILE, '', 'The file is missing.')]
  for (const [path, content] of files) {
    total += content.length
    const wrong = guidePath.safeParse(path)
    if (!wrong.success) findings.push(errorAt(path, '', `The path ${wrong.error.issues[0]!.message}.`))
    if (content.length > GUIDE_LIMITS.file) findings.push(errorAt(path, '', 'The file is larger than 5 MB.'))
    findings.push(...tooLarge(path, content))
    const text = content.toString('latin1')
    for (const [pattern, what] of SECRETS)
      if (pattern.test(text)) findings.push(errorAt(path, '', `The file contains ${what}. A learner could read it.`))
  }
  if (total > GUIDE_LIMITS.bytes) findings.push(errorAt('', '', 'The files are larger than 20 MB.'))
  return findings
}

/** Reads guide.yaml, which must exist, as far as it is right. */
function parseGuide(files: GuideFiles) {
  const content = files.get(GUIDE_FILE)!
  const text = tooLarge(GUIDE_FILE, content).length > 0 ? null : textOf(content)
  const yaml = text === null ? null : readYaml(GUIDE_FILE, text)
  const { value: guide, issues, keysOf, ...left } = readPart<Guide>(guideSchema, yaml?.value)
  const { isLost } = left
  const isIncomplete = (at: string, fields: readonly string[]) =>
    left.isIncomplete(at === '' ? [] : at.split('.'), fields)
  const placeOf = ({ at }: Finding) => {
    const keys = keysOf(at.split('.'))
    return { at: keys.join('.'), line: yaml?.lineOf(keys) ?? null }
  }
  if (yaml === null) {
    const findings =
      text === null && textOf(content) === null ? [errorAt(GUIDE_FILE, '', 'The file is not UTF-8.')] : []
    return { guide: null, findings, placeOf, isLost, isIncomplete }
  }
  const wrong = yaml.value === undefined ? [] : limited(issues.flatMap(findingsOf))
  const findings = [
    ...yaml.findings,
    ...wrong.map((finding) => ({ ...finding, line: yaml.lineOf(finding.at.split('.')) })),
    ...hiddenTexts(GUIDE_FILE, guide).map((finding) => ({ ...finding, ...placeOf(finding) })),
  ]
  return { guide, findings, placeOf, isLost, isIncomplete }
}

function findingsOf(issue: z.core.$ZodIssue): Finding[] {
  const at = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      errorAt(
        GUIDE_FILE,
        [...issue.path, key].join('.'),
        key === 'points' ? 'Points belong to a task, a check or a question.' : `The field ${key} is unknown.`,
      ),
    )
  return [errorAt(GUIDE_FILE, at, `${at === '' ? 'The file' : 'The value'} ${issue.message}.`)]
}
