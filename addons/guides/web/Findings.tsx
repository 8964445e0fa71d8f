import styles from './Library.module.css'

interface Place {
  readonly file: string
  readonly line: number | null
  readonly at?: string
  readonly sentence: string
  readonly isError?: boolean
}

/** Returns where a fault is: "guide.yaml, line 12, steps.0.title". */
const placeText = ({ file, line, at }: Place): string =>
  [file, line !== null && `line ${line}`, at].filter(Boolean).join(', ')

interface FindingsProps {
  label?: string
  title: string
  findings: readonly Place[]
  isAlert?: boolean
}

/** Faults of a guide, each with its file and place. */
export const Findings = ({ label = 'Findings', title, findings, isAlert = false }: FindingsProps) => (
  <section className={styles.findings} role={isAlert ? 'alert' : undefined} aria-label={label}>
    <strong>{title}</strong>
    {findings.length > 0 && (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by the keyboard too
      <ul tabIndex={0} aria-label={`${label} of the guide`}>
        {findings.map((finding) => (
          <li key={`${placeText(finding)} ${finding.sentence}`}>
            <span className="mono">{placeText(finding)}</span>: {isAlert && finding.isError === false && 'Note: '}
            {finding.sentence}
          </li>
        ))}
      </ul>
    )}
  </section>
)
