import type { Rolldown } from 'vite'

interface Group {
  readonly name: string
  readonly test: RegExp
  readonly minShareCount?: number
  /** Narrows the modules that `test` matches. By default, dialogs that validate by a shape are in no group. */
  readonly takes?: (module: Rolldown.ModuleInfo, context: Rolldown.ChunkingContext) => boolean
}

const isShaped = ({ importedIds }: Rolldown.ModuleInfo): boolean =>
  importedIds.some((id) => id.endsWith('/useShapedForm.tsx'))

const isShape = ({ importedIds }: Rolldown.ModuleInfo): boolean =>
  importedIds.some((id) => id.includes('/node_modules/zod/'))

/**
 * Modules that are loaded together share a file, since a request costs more than a few unneeded bytes. Each group
 * contains all imports of its modules except those of earlier groups. Without the first four, the remote page and the
 * open screens would load the shell.
 */
const groups: readonly Group[] = [
  {
    // Code that runs first and loads the rest; the remote page uses its calls.
    name: 'start',
    test: /virtual:calls|vite\/preload-helper|\/platform\/web\/(?:api\/(?:client|connection)|navigation\/(?:search|selection)|session\/session|shell\/(?:load|modules?))\.ts$|\/(?:core|addons)\/[^/]+\/web\.ts$|\/slots\.ts$|\/apps\/(?:modules\/web|web\/connect)\.ts$|\/words\/role\.ts$/,
  },
  // The cache of replies, which is filled while the console loads.
  { name: 'cache', test: /\/platform\/web\/api\/cached?\.ts$/ },
  {
    // Code shared by the remote page, open screens and the shell, including that of the class bar. Without style sheets,
    // because pages of open screens contain their own.
    name: 'base',
    test: /node_modules\/(?:react|react-dom|scheduler)\/|\/icons\/Icon(?:Camera|Chevron|Copy|Dots|Download|ExternalLink|Menu2|Moon|Pencil|Player|Reload|Search|Sun|Trash|User|X)\w*\.mjs$|\/platform\/web\/(?:api\/(?:event-stream|usePageVisible)|ui\/(?:Address|notices)|shell\/(?:FillsOf|Logo)|theme\/scheme)\.|\/machines\/web\/clicked-at\.|\/machines\/contract\/machine-(?:ref|words)\.ts$|\/remote-access\/contract\/watching\.ts$|\/classroom\/contract\/classroom-words\.ts$|\/contract\/words\/(?:limits|problems)\.ts$/,
  },
  // Icons that the first screen does not show.
  { name: 'icons', test: /node_modules\/@tabler\// },
  // Shared by the remote page and the shell.
  { name: 'look', test: /\/platform\/web\/theme\/(?:tokens|base)\./ },
  {
    // Code of open screens that screens of the console also use.
    name: 'codes',
    test: /\/second-factor\/web\/browser-passkey\.ts$|\/words\/typed-code\.ts$|\/registration-words\.ts$/,
  },
  {
    name: 'open',
    test: /\/apps\/web\/open\.tsx$|\/platform\/web\/public\/|\/users\/web\/sign-in\/[^/]+\.tsx?$|\/home\/web\/welcome\/|\/registration\/web\/Join\.tsx$|\/lti\/web\/(?:Lti\.tsx|launch\.ts|lms-storage\.ts)$|\/sso\/web\/SignIn\.tsx$|\/privacy\/web\/Privacy\.tsx$|\/second-factor\/web\/PasskeyLogin\.tsx$/,
  },
  { name: 'shell', test: /\/apps\/web\/app\.tsx$|\/palette\/PaletteKey\.tsx$/ },
  {
    // Small components that most screens use.
    name: 'parts',
    test: /\/web\/(?:.*\/)?(?:Bar|CopyButton|CountFilter|DayRuler|EmptyState|FetchFailed|Fetched|HourAxis|IconButtons|Instant|Lamp|Reason|ReasonButton|Rupees|ScreenLink|SelectTraining|StatusBadge|TrainingFetchFailed|daily-window|hours|useAccessWindow|useAction|useSeconds|save-blob|dayjs|ViewSwitch|usePrinting|useSearchState)\.(?:tsx?|module\.css)$|node_modules\/@tanstack\/react-virtual/,
  },
  {
    // What modules put into the console's frame, and messages. Loaded beside the first screen; dialogs use its parts.
    name: 'frame',
    test: /\/(?:Bell|BudgetBar|HandCount|NoticeContainer|TrainingHeader)\.tsx$/,
  },
  // Loaded with the first dialog.
  {
    name: 'dialog',
    test: /\/platform\/web\/(?:ui\/(?:ConfirmDialog|Dialog|FormDialog|TypeNameDialog|unsaved)|forms\/(?:DeleteDialog|useDialogSubmit))\./,
  },
  // The console has tables only for terminated machines.
  { name: 'table', test: /\/platform\/web\/ui\/table\/DataTable\./ },
  {
    // Without this group, the first screen's chunk below would include what all screens share.
    name: 'shared',
    test: /\/platform\/web\/(?:ui|api|forms|navigation|session)\/|\/invoices\/web\/tax-document\/|\/trainings\/web\/(?:StartMachines|PlannedStops|allotted|planned-stops)\.|\/users\/web\/(?:CorrectAddress|InvitationStatus)\.|\/classroom\/web\/(?:Announce|ClassBar|HandButton|StopAll|own-class|useClassAction)\.|\/class-sessions\/web\/(?:CalendarLinks|NotReadyList|ReadyNow|ready-words)\./,
    minShareCount: 5,
  },
  { name: 'hand', test: /\/(?:HandButton|PlannedStops|own-class)\./ },
  {
    name: 'machines',
    test: /\/web\/(?:ui\/)?(?:Access|MachineMenu|MachineProgress|NotReadyList|PowerButton|ReadyNow|TileGrid|WebAccessButton|commands|machine-list|open-in-browser|useSeconds)\.|\/machines\/contract\/operation\.ts/,
  },
  // Home with what others put into it.
  { name: 'home', test: /\/(?:home\/web\/Home|NextClass|PlannedTime|DemoClassCard)\.tsx$/ },
  // Screens of one area, usually opened one after the other.
  {
    name: 'money',
    test: /\/(?:ledger|payments|accounting|reminders|settlements|budgets|provider-costs)\/web\/[^/]+\.tsx?$|\/invoices\/web\/(?:Invoices|AllInvoices|IssueSeveral|LineFields|OneOffInvoice|PreviewInvoice|StatusRequests|WriteQuote|EditableRows|Rates|Supplier|Undertakings|fields)\.tsx?$|\/quotes\/contract\/quote-words\.ts$|\/quotes\/web\/.*(?:AccountQuotes|Quotes|WriteQuoteButton|BuyByInvoiceButton)\.tsx$|\/invoices\/web\/CoveredMonth\.tsx$|\/prepaid-credit\/web\/(?:Credit|Terms|PrepaidAccount)\.tsx$|\/books\/web\/(?:PaperStatement|ReceiptButton|Export\w+|Statement|statement-periods)\.tsx?$/,
  },
  {
    name: 'labs',
    test: /\/(?:sandbox-azure|sandbox-aws)\/web\/[^/]*\.tsx?$|\/lab-users\/web\/(?:AddUser|RenewUser)\.tsx$/,
  },
  {
    name: 'security',
    test: /\/second-factor\/web\/(?:AddApp|AddPasskey|Passkeys|RecoveryCodesDialog|RemovePasskey|RenamePasskey|SecondFactor)\.tsx$|\/users\/web\/account-security\/[^/]*\.tsx?$|\/(?:audit-chain|scim)\/web\/[^/]*\.tsx?$|\/sso\/web\/(?:Domains|ProviderForm|SignInSettings|TestSignIn|provider-form)\.tsx?$|\/privacy\/web\/(?!Privacy\.tsx)[^/]*\.tsx$|\/organisations\/web\/(?:Logo|MachineAccess|OrganisationPart|OrganisationSettings|Profile|Security|\w+-form)\.tsx?$|\/users\/web\/People\.tsx$|\/class-sessions\/web\/Calendars\.tsx$|\/quotes\/web\/(?:Prices|SetPrice)\.tsx$|\/invoices\/web\/(?:Billing|ChangeStatus|DecideRequest|StatusEffect|TaxStatus|status-words)\.tsx?$/,
  },
  {
    name: 'training',
    test: /\/usage\/web\/(?:DeleteLogs|DayStrip|FindMachine|Logs|RunTable|chosen|matches|strip)\.tsx?$|\/trainings\/web\/(?:DeleteTraining|Removed|Restriction|WindowDays)\.tsx$|\/ports\/web\/[^/]*\.tsx?$|\/machines\/web\/(?:IncreaseForm|Quota|increase)\.tsx?$/,
  },
  { name: 'bill', test: /\/usage\/web\/(?:Billing|Lines|DayLines)\.(?:tsx|module\.css)$/ },
  { name: 'seats', test: /\/classroom\/web\/(?:FilesAllowed|IdleStop|Watching)\.tsx$/ },
  { name: 'palette', test: /\/palette\/Palette\.tsx$|\/palette\.tsx?$/ },
  { name: 'counts', test: /\/(?:home\/web\/Dashboard|Openings|WaitingRequests)\.tsx$/ },
  {
    name: 'overview',
    test: /\/(?:Overview|NewCustomer|FactorResets|ImageChoice|AssignTemplate|CreateTemplate|EditTemplate)\.tsx$/,
  },
  { name: 'schedules', test: /\/(?:Scheduler|ReadyBy|Weekly|FindLastDay|NewSession)\.tsx$/ },
  { name: 'sessions', test: /\/class-sessions\/web\/sessions\/(?!NewSessionDialog)[^/]*\.tsx?$/ },
  // Dialogs of one screen.
  {
    name: 'class',
    test: /\/classroom\/web\/(?:EarlyStart|Invitations|OpenTraining|SeatDialog|Announce|StopAll)\.tsx$|\/StartMachines\.tsx$/,
  },
  { name: 'changes', test: /\/machines\/web\/(?:DeleteMachine|HandOverMachine|ReplaceMachine|ResetMachine)\.tsx$/ },
  { name: 'endpoints', test: /\/webhooks\/web\/(?:DeliveryDialog|ResendForm|EndpointForm)\.tsx$/ },
  { name: 'platforms', test: /\/lti\/web\/(?:AddLms|EditLms)\.tsx$/ },
  // Words that screens share with shapes: the screens would load all shapes.
  { name: 'guide-words', test: /\/guides\/contract\/[\w-]*words\.ts$/ },
  { name: 'words', test: /\/(?:als-import|rosters)\/contract\/(?:lab-import-words|training-roster)\.ts$/ },
  {
    // Loaded with the first form that a shape of the contract validates.
    name: 'forms',
    test: /node_modules\/(?:zod|klona|fast-deep-equal)\/|\/@mantine\/form\/esm\/(?!schema-resolver|hooks\/use-form-errors\/filter)|\/useShapedForm\.tsx$|\/contract(?:\/.+)?\.ts$/,
    takes: (module) => isShape(module) || !/\/contract\b/.test(module.id),
  },
  {
    // Dialogs about money.
    name: 'entries',
    test: /\/(?:ledger|payments|accounting|reminders|budgets|prepaid-credit|quotes|invoices|books|provider-costs)\/web\/(?:quotes\/)?[^/]+\.tsx$/,
    takes: (module) => isShaped(module) || module.id.endsWith('/invoices/web/Note.tsx'),
  },
  {
    // Dialogs of lists.
    name: 'lists',
    test: /\/(?:api-keys|organisations|ports|private-networks|scim|templates|users|second-factor|rosters|registration)\/web\/(?:account-security\/)?[^/]+\.tsx$/,
    takes: isShaped,
  },
  {
    name: 'plans',
    test: /\/class-sessions\/web\/(?:sessions\/(?:Holidays|NewSessionDialog|SessionForm)|WeeklyForm)\.tsx$/,
    takes: () => true,
  },
  { name: 'move', test: /\/als-import\/web\/[^/]+\.tsx$/, takes: isShaped },
  { name: 'asking', test: /\/requests\/web\/Ask\w+\.tsx$/, takes: () => true },
]

export const chunks = groups.map(({ name, takes = (module) => !isShaped(module), ...group }, index) => ({
  ...group,
  name: (id: string, context: Rolldown.ChunkingContext) => (takes(context.getModuleInfo(id)!, context) ? name : null),
  debugName: name,
  priority: groups.length - index,
}))

/**
 * Leaves the chunks of the application out of what a file of the application loads before a dynamic import: app.html has
 * loaded them. Listing them for each import would take 1.5 kB.
 */
export const withoutApplication = (
  _: string,
  files: string[],
  { hostId, hostType }: { hostId: string; hostType: 'html' | 'js' },
): string[] =>
  hostType === 'html' || /\/(?:app|remote|Desktop)-/.test(hostId)
    ? files
    : files.filter((file) => !/\/(?:rolldown-runtime|start|cache|base|look|shell)-/.test(file))
