import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'

export const NewPassword = () => (
  <>
    <label>
      New password
      <input
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={PASSWORD_LENGTH_MAX}
        aria-describedby="rule"
        required
      />
    </label>
    <p id="rule" className="dim">
      At least {PASSWORD_LENGTH_MIN} characters. A longer password is safer.
    </p>
    <label className="tick">
      <input name="show" type="checkbox" /> Show the password
    </label>
  </>
)
