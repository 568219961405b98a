/** What the credential's threads are asked, and answer. All bytes are as they come over the wire. */

/** As `serializeServerPrivateKey` and `serializeServerPublicKey` write them. */
export interface IssuerKeys {
  privateKey: Uint8Array
  publicKey: Uint8Array
}

export interface VerifyQuestion {
  kind: 'verify'
  keys: IssuerKeys
  requestContext: Uint8Array
  presentationContext: Uint8Array
  message: Uint8Array
  presentation: Uint8Array
}

export interface IssueQuestion {
  kind: 'issue'
  keys: IssuerKeys
  requestContext: Uint8Array
  request: Uint8Array
  /** What the account keeps, from its second request on. */
  commitment: Uint8Array | undefined
}

export type PoolQuestion = VerifyQuestion | IssueQuestion

/** The tag of a presentation, the response to a request; or neither, when it proves nothing. */
export interface PoolAnswer {
  bytes: Uint8Array | undefined
}
