export { AgentRefused, BacklogFull, TooLarge } from './errors.ts'
export { type AgentCredentials, AgentHttp } from './http.ts'
export { AgentMqtt, type MqttOptions } from './mqtt.ts'
export { type Sample, sampleOf } from './sample.ts'
