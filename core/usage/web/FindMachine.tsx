import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './FindMachine.module.css'
import { matchesOf } from './matches.ts'

const SHOWN = 8

interface FindMachineProps {
  names: readonly string[]
  /** The learner of each machine, by the same index. */
  learners: readonly string[]
  choose: (name: string) => void
}

export function FindMachine({ names, learners, choose }: FindMachineProps) {
  const [entered, setEntered] = useState('')
  const found = matchesOf(names, learners, entered)
  const take = (name: string) => {
    setEntered('')
    choose(name)
  }
  return (
    <search className={styles.find}>
      <TextInput
        type="search"
        label="Find by e-mail or name"
        leftSection={<IconSearch size={16} aria-hidden />}
        {...controlledText(entered, setEntered)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) take(found[0].name)
        }}
      />
      {entered.trim() !== '' && (
        <ul className={styles.found} aria-label="Instances found">
          {found.slice(0, SHOWN).map(({ name, learner }) => (
            <li key={name}>
              <button type="button" className={styles.one} onClick={() => take(name)}>
                <Address>{learner}</Address>
                <span className="mono">{name}</span>
              </button>
            </li>
          ))}
          {found.length > SHOWN && <li className={styles.more}>and {found.length - SHOWN} more</li>}
          {found.length === 0 && <li className={styles.more}>No matches.</li>}
        </ul>
      )}
    </search>
  )
}
