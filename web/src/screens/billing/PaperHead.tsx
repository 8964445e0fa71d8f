import { useState } from 'react'
import { useSelection } from '#src/selection.ts'
import { Instant } from '#src/ui/Instant.tsx'
import styles from './Billing.module.css'

/** Whose bill it is and of when, on paper: on the screen the top bar says so. */
export function PaperHead() {
  const { organization, training } = useSelection()
  const [opened] = useState(() => new Date().toISOString())
  return (
    <div className={styles.paper}>
      <h2>{training}</h2>
      <p>
        {organization}, as it stood at <Instant at={opened} />
      </p>
    </div>
  )
}
