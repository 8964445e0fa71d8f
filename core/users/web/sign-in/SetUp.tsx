import { useEffect, useRef, useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { Desk } from './Desk.tsx'
import { Banner, EmailField, fieldOf, focusFirst, sentenceFor, useSubmit } from './form.tsx'
import { NewPassword } from './NewPassword.tsx'
import { enter } from './signed-in.ts'
import { screenAfterSetUp } from './slots.ts'

/** Page that creates the first superadmin of a new portal, with the code that its log shows. */
export default function SetUp() {
  const code = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(true)
  const { isBusy, problem, setProblem, onSubmit } = useSubmit(
    async (form) => {
      const textOf = (name: string) => fieldOf(form, name).value.trim()
      enter(
        await api.session.setUp({
          code: textOf('code'),
          name: textOf('name'),
          email: textOf('email'),
          password: fieldOf(form, 'password').value,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        }),
        provided(screenAfterSetUp),
      )
    },
    { needsSiteData: true },
  )
  useEffect(() => {
    const given = location.hash.slice(1)
    // The code creates a superadmin: remove it from the address bar and the history.
    history.replaceState(null, '', location.pathname)
    if (given !== '') code.current!.value = given
    focusFirst(given === '' ? code.current : code.current!.form!.querySelector<HTMLElement>('[name=name]'))
    api.session.isSetUpOpen().then(
      ({ open }) => setOpen(open),
      (error: unknown) => setProblem(sentenceFor(error)),
    )
  }, [setProblem])
  return (
    <Desk title="Set Up Trainyard" purpose="set up the portal">
      <p className="lead">
        {isOpen
          ? 'Create the first superadmin of this portal. The code is in the log of the portal.'
          : 'This portal is set up already. Please log in.'}
      </p>
      <Banner text={problem} />
      <form method="post" onSubmit={onSubmit} hidden={!isOpen}>
        <label>
          Set-up code
          <input name="code" ref={code} autoComplete="off" autoCapitalize="characters" spellCheck={false} required />
        </label>
        <label>
          Your name
          <input name="name" autoComplete="name" maxLength={NAME_LENGTH} required />
        </label>
        <EmailField label="E-mail" />
        <NewPassword />
        <button disabled={isBusy}>{isBusy ? 'Creating...' : 'Create the superadmin'}</button>
      </form>
    </Desk>
  )
}
