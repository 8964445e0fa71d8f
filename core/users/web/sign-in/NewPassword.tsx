import { useState, type RefObject } from 'react'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { ShowCharacters, useRefusal } from './form.tsx'

interface NewPasswordProps {
  input?: RefObject<HTMLInputElement | null>
  /** True while the form asks for no password. */
  disabled?: boolean
}

export function NewPassword({ input, disabled }: NewPasswordProps) {
  const [isShown, setShown] = useState(false)
  const { isInvalid, refusal } = useRefusal()
  return (
    <>
      <label>
        New password
        <input
          ref={input}
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          minLength={PASSWORD_LENGTH_MIN}
          maxLength={PASSWORD_LENGTH_MAX}
          aria-describedby="rule"
          {...refusal}
          disabled={disabled}
          required
        />
      </label>
      <p id="rule" className={isInvalid ? 'wrong' : 'dim'}>
        {isInvalid
          ? `Choose a password of at least ${PASSWORD_LENGTH_MIN} characters.`
          : `At least ${PASSWORD_LENGTH_MIN} characters. A longer password is safer.`}
      </p>
      <ShowCharacters show={setShown} />
    </>
  )
}
