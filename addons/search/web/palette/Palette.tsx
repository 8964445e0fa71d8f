import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { use, useDeferredValue, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { choiceOf, useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { menuOf } from '@trainyard/platform/web/navigation/menu.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { useScheme } from '@trainyard/platform/web/theme/scheme.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import type { CommandsOf, DialogOf, Entry } from '@trainyard/platform/web/shell/module.ts'
import { connectedModules, connectedScreens } from '@trainyard/platform/web/shell/modules.ts'
import { COMMAND } from './command.ts'
import { loadCommands, searchedText } from './commands.tsx'
import { foundGroups, type Group, matchesWords, screenEntries } from './entries.ts'
import styles from './Palette.module.css'

/** Maximum number of machines for which the palette offers commands. */
const MACHINES_MAX = 5

interface PaletteProps {
  typed: string
  setTyped: (text: string) => void
  /** True if Enter was pressed while the palette was loading. */
  entered: boolean
  close: () => void
  openDialog: (dialogOf: DialogOf) => void
}

export default function Palette(props: PaletteProps) {
  const commandsOf = use(loadCommands(connectedModules()))
  return (
    <Dialog title="Go to" close={props.close}>
      <Entries {...props} commandsOf={commandsOf} />
    </Dialog>
  )
}

interface EntriesProps extends PaletteProps {
  commandsOf: CommandsOf
}

function Entries({ typed, setTyped, entered, commandsOf, close, openDialog }: EntriesProps) {
  const { groups, settled } = useGroups(typed.trim(), commandsOf, openDialog)
  const navigate = useNavigate()
  const list = useCombobox({ opened: true })
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id)).join()
  // oxlint-disable-next-line react/exhaustive-deps -- the list is a new object in each render
  useEffect(() => void list.selectFirstOption(), [ids])

  function run({ go }: Entry) {
    close()
    if (typeof go === 'function') go()
    else void navigate({ to: go.to, search: () => go.search as never })
  }

  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(typed.length, typed.length)
    // oxlint-disable-next-line react/exhaustive-deps -- only once, to continue the placeholder field
  }, [])
  const first = groups[0]?.entries[0]
  const [awaited, setAwaited] = useState(entered)
  useEffect(() => {
    if (awaited && settled && first !== undefined) run(first)
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the search for the typed text has finished
  }, [awaited, settled, first?.id])
  /** Delays Enter until the results match the typed text. */
  function awaitFirst(event: KeyboardEvent) {
    if (event.key !== 'Enter' || settled || list.getSelectedOptionIndex() > 0) return
    event.preventDefault()
    event.stopPropagation()
    setAwaited(true)
  }

  return (
    <Combobox
      store={list}
      onOptionSubmit={(id) => {
        const entry = groups.flatMap(({ entries }) => entries).find((one) => one.id === id)
        if (entry) run(entry)
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          ref={field}
          aria-label={COMMAND}
          placeholder={COMMAND}
          leftSection={<Icon name="search" size={16} />}
          value={typed}
          onKeyDownCapture={awaitFirst}
          onChange={(event) => {
            setAwaited(false)
            setTyped(event.currentTarget.value)
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={styles.list} aria-label="Results">
        {groups.length === 0 && <Combobox.Empty>No results.</Combobox.Empty>}
        {groups.map(({ title, entries }) => (
          <Combobox.Group key={title} label={title}>
            {entries.map(({ id, label, hint }) => (
              <Combobox.Option key={id} value={id} className={styles.entry}>
                <span>{label}</span>
                {hint && <span className={styles.hint}>{hint}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox>
  )
}

/** Returns the matching entries by group, without empty groups. `settled` is true once the results match the text. */
function useGroups(
  text: string,
  commandsOf: CommandsOf,
  openDialog: (dialogOf: DialogOf) => void,
): { readonly groups: readonly Group[]; readonly settled: boolean } {
  const me = useMe()
  const { role } = me
  const chosen = choiceOf(useSearch({ strict: false }))
  const [scheme, choose] = useScheme()
  const { trainingQuery } = useSelection()
  const sought = useDeferredValue(searchedText(text))
  const finds = role === 'user' || role === 'admin' || role === 'superadmin'
  const found = useQuery({
    ...query(api.search.find, { text: sought }),
    enabled: finds && sought !== '',
    placeholderData: keepPreviousData,
  })
  const other = scheme === 'dark' ? 'light' : 'dark'
  const screens = screenEntries(
    menuOf(me, connectedScreens()).flatMap(({ screens }) => screens),
    chosen,
  )
  const machines = sought === '' ? [] : (found.data?.machines ?? []).slice(0, MACHINES_MAX)
  const actions: readonly Entry[] = [
    ...commandsOf({ me, chosen, trainingQuery, machines, openDialog }),
    { id: 'colours', label: `Switch to ${other} colours`, go: () => choose(other) },
    { id: 'logout', label: 'Logout', go: () => location.assign('/logout') },
  ]
  const matching = (entries: readonly Entry[]) =>
    entries.filter(({ label, hint = '' }) => matchesWords(`${label} ${hint}`, text))
  const groups = [
    ...(found.data && sought !== '' ? foundGroups(found.data, role === 'superadmin') : []),
    { title: 'Screens', entries: matching(screens) },
    { title: 'Actions', entries: matching(actions) },
  ].filter(({ entries }) => entries.length > 0)
  return { groups, settled: sought === searchedText(text) && !found.isFetching }
}
