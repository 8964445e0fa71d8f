import styles from './Lamp.module.css'

export type Signal = 'clear' | 'still' | 'moving' | 'danger' | 'gone'

/** A state as a signal lamp: told by shape and word, the colour only helps. */
export const Lamp = ({ signal, children }: { signal: Signal; children: string }) => (
  <span className={styles.badge} data-signal={signal}>
    {children}
  </span>
)
