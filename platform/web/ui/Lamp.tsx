import styles from './Lamp.module.css'

export type Signal = 'clear' | 'still' | 'moving' | 'danger' | 'gone'

export const Lamp = ({ signal, children }: { signal: Signal; children: string }) => (
  <span className={styles.badge} data-signal={signal}>
    {children}
  </span>
)
