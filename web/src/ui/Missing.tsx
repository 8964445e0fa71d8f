import { Button } from '@mantine/core'
import styles from './Missing.module.css'

interface MissingProps {
  text: string
  /** The label of the button that leads on. */
  way: string
  undo: () => void
}

/** Tells that the address names something that doesn't exist, with a way on. */
export const Missing = ({ text, way, undo }: MissingProps) => (
  <div className={`panel row ${styles.missing}`}>
    <output>{text}</output>
    <Button variant="default" size="sm" onClick={undo}>
      {way}
    </Button>
  </div>
)
