import styles from './Marks.module.css'

/** Shows the errors that a script printed, if any. */
export const ScriptOutput = ({ text }: { text: string }) =>
  text !== '' && (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled by the keyboard too
    <pre className={styles.output} tabIndex={0} aria-label="Output of the script">
      {text.trimEnd()}
    </pre>
  )
