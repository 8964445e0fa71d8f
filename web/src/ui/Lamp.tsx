import styles from './Lamp.module.css'

export type Signal = 'clear' | 'still' | 'moving' | 'danger' | 'gone'

/** A status with a signal lamp. Shape and text differ too, not only the colour. */
export const Lamp = ({ signal, children }: { signal: Signal; children: string }) => (
  <span className={styles.badge} data-signal={signal}>
    {children}
  </span>
)
