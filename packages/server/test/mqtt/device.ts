import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'

/** A bare MQTT 3.1.1 client that never reconnects by itself: what happens to it is seen. */
export interface Device {
  client: MqttClient
  /** Resolves when the connection has ended, with the time of that. */
  closed: Promise<number>
  isConnected(): boolean
  /** Resolves with the PUBACK; rejects when the connection ends before it. */
  publish(topic: string, payload: string | Buffer, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>
  /** Resolves with the SUBACK; rejects when the connection ends before it, or when the broker declines. */
  subscribe(topic: string): Promise<void>
  /** Ends without a word, so that its last will is published. */
  vanish(): void
  leave(): Promise<void>
}

export function connectDevice(
  url: string,
  apId: string,
  password: string,
  more: IClientOptions = {},
): Promise<Device> {
  const client = mqtt.connect(url, {
    protocolVersion: 4,
    clientId: apId,
    username: apId,
    password,
    reconnectPeriod: 0,
    connectTimeout: 60_000,
    ...more,
  })
  const closed = new Promise<number>((resolve) => client.once('close', () => resolve(performance.now())))
  const unlessClosed = <T>(work: Promise<T>) =>
    Promise.race([work, closed.then(() => Promise.reject(new Error('closed')))])
  const device: Device = {
    client,
    closed,
    isConnected: () => client.connected,
    async publish(topic, payload, { qos = 1, retain = false } = {}) {
      await unlessClosed(client.publishAsync(topic, payload, { qos, retain }))
    },
    async subscribe(topic) {
      const [granted] = await unlessClosed(client.subscribeAsync(topic, { qos: 1 }))
      if (granted?.qos === 128) throw new Error('declined')
    },
    vanish: () => client.stream.destroy(),
    leave: () => client.endAsync(),
  }
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(device))
    client.on('error', reject)
    void closed.then(() => reject(new Error('closed before it was connected')))
  })
}
