import { Fragment } from 'react'

/** Text with an e-mail address, which wraps before the @ and the dots. */
export const Address = ({ children }: { children: string }) => (
  <span className="address">
    {children.split(/(?=[@.])/).map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- equal parts differ only in their place
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)
