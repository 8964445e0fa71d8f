import type { Duplex } from 'node:stream'
import { isAddressIn, isPrefixIn, type NetworkRoute } from '@trainyard/platform/contract/words/network.ts'

/** A private network that a superadmin defined. */
export interface PrivateNetwork {
  readonly id: string
  /** `host`: the portal's host is connected to the network, so no proxy is used. */
  readonly route: NetworkRoute | 'host'
  /** IPv4 prefixes of the network. The portal connects to no other private address. */
  readonly ranges: readonly string[]
}

/** Returns true if the portal may connect to this address of the network. */
export const hasAddress = ({ ranges }: PrivateNetwork, address: string): boolean => isAddressIn(address, ranges)

/** Returns true if one of the ranges contains the whole subnet. */
export const isSubnetIn = (prefix: string, ranges: readonly string[]): boolean => isPrefixIn(prefix, ranges)

/**
 * Address at which the portal connects to a machine. It is read from the machine's row, and is never sent by a browser.
 */
export interface MachineAddress {
  readonly address: string
  /** null: the address is public. */
  readonly network: PrivateNetwork | null
}

/** Agents inside private networks. */
export interface Gateways {
  /** Connects to a machine through the network's agent. @throws ShellError noGateway, unreachable */
  connect(network: PrivateNetwork, address: string, port: number, signal: AbortSignal): Promise<Duplex>
}

/** Ways in which the portal connects to machines. */
export interface Routes {
  /** URL of an HTTP proxy (CONNECT) for public addresses and peered networks; null: direct. */
  readonly proxy: string | null
  /** null if this process has no connection to gateways. */
  readonly gateways?: Gateways | null
}
