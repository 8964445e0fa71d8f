import { Button } from '@mantine/core'
import styles from './Missing.module.css'

interface MissingProps {
  text: string
  actionLabel: string
  onAction: () => void
}

export const Missing = ({ text, actionLabel, onAction }: MissingProps) => (
  <div className={`panel row ${styles.missing}`}>
    <output>{text}</output>
    <Button variant="default" size="sm" onClick={onAction}>
      {actionLabel}
    </Button>
  </div>
)
