import styles from './Library.module.css'

interface FindingsProps {
  label?: string
  title: string
  findings: readonly { readonly file: string; readonly at: string; readonly sentence: string }[]
  isAlert?: boolean
}

/** Faults of a guide, each with its file and place. */
export const Findings = ({ label = 'Findings', title, findings, isAlert = false }: FindingsProps) => (
  <section className={styles.findings} role={isAlert ? 'alert' : undefined} aria-label={label}>
    <strong>{title}</strong>
    {findings.length > 0 && (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by the keyboard too
      <ul tabIndex={0} aria-label={`${label} of the guide`}>
        {findings.map(({ file, at, sentence }) => (
          <li key={`${file} ${at} ${sentence}`}>
            <span className="mono">{[file, at].filter(Boolean).join(', ')}</span>: {sentence}
          </li>
        ))}
      </ul>
    )}
  </section>
)
