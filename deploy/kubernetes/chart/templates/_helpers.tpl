{{- define "manc.labels" -}}
app.kubernetes.io/name: manc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "manc.metaLabels" -}}
{{ include "manc.labels" . }}
app.kubernetes.io/part-of: manc
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{- define "manc.image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* Settings of the pod that hold for every container of this chart. */}}
{{- define "manc.podSpec" -}}
# With service links Kubernetes adds variables such as MANC_API_PORT, which the server rejects as unknown settings.
enableServiceLinks: false
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}

{{- define "manc.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "manc.spread" -}}
topologySpreadConstraints:
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ eq $key "kubernetes.io/hostname" | ternary $.root.Values.topologySpread.whenUnsatisfiable "ScheduleAnyway" }}
    labelSelector:
      matchLabels:
        {{- include "manc.labels" $ | nindent 8 }}
{{- end }}
{{- end }}

{{- define "manc.settings" -}}
{{- $fixed := dict
  "MANC_HOST" "0.0.0.0"
  "MANC_PORT" "8080"
  "MANC_INTERNAL_HOST" "0.0.0.0"
  "MANC_INTERNAL_PORT" "8081"
  "MANC_API_URL" "http://manc-api:8080"
  "MANC_DRAIN_SECONDS" (toString .Values.drainSeconds)
}}
{{- mergeOverwrite $fixed .Values.settings | toJson }}
{{- end }}

{{/* Environment, mounts and volumes of manc-server: settings from the ConfigMap, secrets as files. */}}
{{- define "manc.secretEnv" -}}
{{- range $setting, $ref := .Values.secrets }}
{{- if $ref }}
- { name: {{ $setting }}_FILE, value: /run/secrets/{{ $ref.name }}/{{ $setting }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "manc.serverMounts" -}}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- range $name := include "manc.secretNames" . | fromJsonArray }}
  - { name: secret-{{ $name }}, mountPath: /run/secrets/{{ $name }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "manc.serverVolumes" -}}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- range $name := include "manc.secretNames" . | fromJsonArray }}
  - name: secret-{{ $name }}
    secret:
      secretName: {{ $name }}
      optional: false
      # 0440 in octal, which YAML parsers read differently.
      defaultMode: 288
      items:
      {{- range $setting, $ref := $.Values.secrets }}
      {{- if and $ref (eq $ref.name $name) }}
        - { key: {{ $ref.key }}, path: {{ $setting }} }
      {{- end }}
      {{- end }}
{{- end }}
{{- end }}

{{- define "manc.secretNames" -}}
{{- $names := list }}
{{- range $ref := .Values.secrets }}{{ if $ref }}{{ $names = append $names $ref.name }}{{ end }}{{ end }}
{{- $names | uniq | sortAlpha | toJson }}
{{- end }}
