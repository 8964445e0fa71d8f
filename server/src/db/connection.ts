/** Where a database is, and as whom. */
export interface Connection {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  readonly password?: string
}
