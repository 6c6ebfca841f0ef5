{{- define "relayer.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "relayer.labels" -}}
{{ include "relayer.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "relayer.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}
{{- .Values.serviceAccount.name }}
{{- else if .Values.serviceAccount.create }}
{{- .Release.Name }}
{{- else }}
{{- "default" }}
{{- end }}
{{- end }}

{{- define "relayer.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{- /* Secrets are files: the environment of a process is easier to read than a mounted file. */}}
{{- define "relayer.env" -}}
- name: NODE_ENV
  value: production
- name: PORT
  value: "8080"
- name: API_KEY_FILE
  value: /run/secrets/relayer/API_KEY
- name: STORAGE_ENCRYPTION_KEY_FILE
  value: /run/secrets/relayer/STORAGE_ENCRYPTION_KEY
- name: DATABASE_URL_FILE
  value: /run/secrets/relayer/DATABASE_URL
{{- if .Values.redis.enabled }}
- name: REDIS_URL_FILE
  value: /run/secrets/relayer/REDIS_URL
{{- end }}
{{- range .Values.secretVariables }}
- name: {{ printf "%s_FILE" . }}
  value: {{ printf "/run/secrets/relayer/%s" . }}
{{- end }}
- name: METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- if .Values.config }}
- name: CONFIG_FILE
  value: /app/config/config.json
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "relayer.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "relayer.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "relayer.volumeMounts" -}}
- name: secrets
  mountPath: /run/secrets/relayer
  readOnly: true
{{- if .Values.config }}
- name: config
  mountPath: /app/config
  readOnly: true
{{- end }}
{{- end }}

{{- define "relayer.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ required "existingSecret names the Secret with API_KEY, STORAGE_ENCRYPTION_KEY and DATABASE_URL" .Values.existingSecret }}
    defaultMode: 288 # 0440 in decimal, as JSON needs it: readable by the group of fsGroup
{{- end }}
