import type { z } from 'zod'
import type { GuideNode } from '../../contract/guide-text.ts'
import { parseText } from '../text/parse-text.ts'
import { errorAt, type Finding, UnreadableGuide } from './finding.ts'
import { type Guide, GUIDE_LIMITS, guidePath, guideSchema } from './schema.ts'
import { scriptFiles, wrongReferences } from './references.ts'
import { hiddenTexts, textOf } from './plain-text.ts'
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
  /** Warnings. */
  readonly findings: readonly Finding[]
}

/** Reads and checks all files of a guide. @throws UnreadableGuide with every error found */
export function readGuide(files: GuideFiles): ReadGuide {
  stopAt(wrongFiles(files))
  const guide = parseGuide(files)
  stopAt(wrongReferences(guide, new Set(files.keys())))
  stopAt(wrongScripts(guide, files))
  const findings: Finding[] = []
  const texts: Record<string, readonly GuideNode[]> = {}
  let bytes = 0
  for (const step of guide.steps) {
    const content = files.get(step.text)!
    bytes += content.length
    if (bytes > GUIDE_LIMITS.texts)
      throw new UnreadableGuide([errorAt(step.text, '', 'The texts of all steps are larger than 512 kB.')])
    const text = textOf(content)
    if (text === null) {
      findings.push(errorAt(step.text, '', 'The text is not UTF-8.'))
      continue
    }
    const parsed = parseText(text, { file: step.text, guide, step, files })
    findings.push(...parsed.findings)
    texts[step.id] = parsed.nodes
  }
  const { translations, findings: ofTranslations } = readTranslations(guide, files)
  findings.push(...ofTranslations)
  stopAt(findings.filter(({ kind }) => kind === 'error'))
  return { guide, texts, translations, findings }
}

function stopAt(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new UnreadableGuide(findings)
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
    if (path.endsWith('.md')) findings.push(...wrongMarkdown(path, content))
    if (path.endsWith('.yaml') && content.length > GUIDE_LIMITS.yaml)
      findings.push(errorAt(path, '', 'The file is larger than 256 kB.'))
    const text = content.toString('latin1')
    for (const [pattern, what] of SECRETS)
      if (pattern.test(text)) findings.push(errorAt(path, '', `The file contains ${what}. A learner could read it.`))
  }
  if (total > GUIDE_LIMITS.bytes) findings.push(errorAt('', '', 'The files are larger than 20 MB.'))
  return findings
}

/** Returns why a text is not parsed. */
export function wrongMarkdown(path: string, content: Buffer): Finding[] {
  if (content.length > GUIDE_LIMITS.markdown) return [errorAt(path, '', 'The text is larger than 256 kB.')]
  const long = content
    .toString('latin1')
    .split('\n')
    .findIndex((line) => line.length > GUIDE_LIMITS.line)
  return long < 0 ? [] : [errorAt(path, `line ${long + 1}`, `The line is longer than ${GUIDE_LIMITS.line} bytes.`)]
}

/** Reads guide.yaml, which must exist. @throws UnreadableGuide */
export function parseGuide(files: GuideFiles): Guide {
  const text = textOf(files.get(GUIDE_FILE)!)
  if (text === null) throw new UnreadableGuide([errorAt(GUIDE_FILE, '', 'The file is not UTF-8.')])
  const read = guideSchema.safeParse(readYaml(GUIDE_FILE, text))
  if (!read.success) throw new UnreadableGuide(read.error.issues.flatMap(findingsOf))
  const hidden = hiddenTexts(GUIDE_FILE, read.data)
  if (hidden.length > 0) throw new UnreadableGuide(hidden)
  return read.data
}

function findingsOf(issue: z.core.$ZodIssue): Finding[] {
  const at = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => errorAt(GUIDE_FILE, [...issue.path, key].join('.'), `The field ${key} is unknown.`))
  return [errorAt(GUIDE_FILE, at, `${at === '' ? 'The file' : 'The value'} ${issue.message}.`)]
}

function wrongScripts(guide: Guide, files: GuideFiles): Finding[] {
  return [...scriptFiles(guide)].flatMap((path) => {
    const content = files.get(path)!
    const text = textOf(content)
    if (content.length > GUIDE_LIMITS.script) return [errorAt(path, '', 'The script is larger than 64 kB.')]
    if (text === null || text.includes('\0')) return [errorAt(path, '', 'The script is not UTF-8.')]
    if (interpreterOf(text) === null)
      return [errorAt(path, 'line 1', 'The first line must name bash, sh or python3, as #!/bin/bash does.')]
    return []
  })
}

const INTERPRETERS = { bash: '/bin/bash -s --', sh: '/bin/sh -s --', python3: '/usr/bin/python3 -' } as const
export type Interpreter = keyof typeof INTERPRETERS

/** Returns the interpreter that the first line names, by default bash; null for another one. */
export function interpreterOf(script: string): Interpreter | null {
  const first = /^\uFEFF?#!(.*)/.exec(script)?.[1]
  if (first === undefined) return 'bash'
  const name = /^\s*(?:\S*\/env\s+)?(?:\S*\/)?(bash|sh|python3)\s*(?:-\w+\s*)?\r?$/.exec(first)?.[1]
  return (name as Interpreter | undefined) ?? null
}

export const commandOf = (interpreter: Interpreter): string => INTERPRETERS[interpreter]
