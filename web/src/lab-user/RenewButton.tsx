import { Icon } from '#src/ui/Icon.tsx'

export const RenewButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" className="icon-button" aria-label={`Renew ${name}`} title={`Renew ${name}`} onClick={onClick}>
    <Icon name="restart" size={17} />
  </button>
)
