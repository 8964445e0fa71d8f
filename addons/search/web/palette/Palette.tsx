import IconSearch from '@tabler/icons-react/icons/IconSearch'
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- Spotlight renders other elements, and gives them no roles */
import '@mantine/core/styles/ScrollArea.layer.css'
// Not in a layer, because the style sheet of the shell, whose buttons have no padding, follows in the page.
import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { use, useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { choiceOf, useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { reachableOf, rootOf } from '@trainyard/platform/web/navigation/menu.ts'
import { useScheme } from '@trainyard/platform/web/theme/scheme.ts'
import type { CommandsOf, DialogOf, Entry } from '@trainyard/platform/web/shell/module.ts'
import { connectedModules, connectedScreens } from '@trainyard/platform/web/shell/modules.ts'
import { COMMAND } from './command.ts'
import { loadCommands, searchedText } from './commands.tsx'
import { foundGroups, type Group, matchesWords, screenEntries, taskEntries } from './entries.ts'

/** Maximum number of machines for which the palette offers commands. */
const MACHINES_MAX = 5

const [store, spotlight] = createSpotlight()

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
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      // An animation would lose text typed meanwhile.
      transitionProps={{ duration: 0 }}
      query={props.typed}
      onQueryChange={props.setTyped}
      onSpotlightClose={props.close}
      closeOnActionTrigger={false}
    >
      <Entries {...props} commandsOf={commandsOf} />
    </Spotlight.Root>
  )
}

interface EntriesProps extends PaletteProps {
  commandsOf: CommandsOf
}

function Entries({ typed, entered, commandsOf, close, openDialog }: EntriesProps) {
  const { groups, settled } = useGroups(typed.trim(), commandsOf, openDialog)
  const navigate = useNavigate()
  const list = useId()
  const all = groups.flatMap(({ entries }) => entries)
  const ids = all.map(({ id }) => id).join()
  /** Index of the selected entry for screen readers, which Spotlight marks in the list only. */
  const [selected, setSelected] = useState(0)
  // Spotlight selects the first entry when the text changes, but not when results arrive.
  useEffect(() => {
    store.setState({ ...store.getState(), selected: 0 })
    setSelected(0)
  }, [ids])

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
  const [first] = all
  const [awaited, setAwaited] = useState(entered)
  useEffect(() => {
    if (awaited && settled && first !== undefined) run(first)
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the search for the typed text has finished
  }, [awaited, settled, first?.id])
  /** Runs the selected entry; delays the first one until the results match the typed text. */
  function enter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    const index = store.getState().selected
    const entry = all[index]
    if (!settled && index === 0) setAwaited(true)
    else if (entry) run(entry)
  }

  return (
    <>
      <Spotlight.Search
        ref={field}
        role="combobox"
        aria-label={COMMAND}
        aria-expanded={all.length > 0}
        aria-controls={list}
        aria-activedescendant={`${list}-${selected}`}
        placeholder={COMMAND}
        leftSection={<IconSearch size={16} aria-hidden />}
        onKeyDownCapture={enter}
        onKeyUp={() => setSelected(store.getState().selected)}
        onChange={() => setAwaited(false)}
      />
      {all.length === 0 ? (
        <Spotlight.Empty>No results.</Spotlight.Empty>
      ) : (
        <Spotlight.ActionsList key={ids} id={list} role="listbox" aria-label="Results">
          {groups.map(({ title, entries }) => (
            <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
              {entries.map((entry) => (
                <Spotlight.Action
                  key={entry.id}
                  // The component has no property for the id.
                  renderRoot={(root) => <button type="button" {...root} id={`${list}-${all.indexOf(entry)}`} />}
                  role="option"
                  aria-selected={entry === all[selected]}
                  data-selected={entry === first || undefined}
                  label={entry.label}
                  description={entry.hint}
                  onClick={() => run(entry)}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
    </>
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
  const all = connectedScreens()
  const reachable = reachableOf(me, all, trainingQuery?.trainingName ?? null)
  const screens = screenEntries(reachable, (screen) => rootOf(me, all, screen), chosen)
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
    { title: 'Actions', entries: [...matching(actions), ...taskEntries(reachable, chosen, text)] },
  ].filter(({ entries }) => entries.length > 0)
  return { groups, settled: sought === searchedText(text) && !found.isFetching }
}
