-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: db-chat-01    Database: atendimento
-- ------------------------------------------------------
/*!40101 SET NAMES utf8mb4 */;

DROP TABLE IF EXISTS `chat_sessoes`;
CREATE TABLE `chat_sessoes` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `canal` varchar(20) NOT NULL,
  `cliente_id` int unsigned DEFAULT NULL,
  `inicio` datetime NOT NULL,
  `fim` datetime DEFAULT NULL,
  `nota` tinyint DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `chat_sessoes` WRITE;
INSERT INTO `chat_sessoes` VALUES (90210,'app',895523,'2025-03-18 10:02:00','2025-03-18 10:04:51',5),(90212,'whatsapp',349190,'2025-03-18 10:35:00','2025-03-18 10:35:59',1),(90214,'site',670497,'2025-03-18 11:08:00','2025-03-18 11:09:34',NULL),(90216,'site',970494,'2025-03-18 11:41:00','2025-03-18 11:44:12',5),(90218,'whatsapp',744300,'2025-03-18 12:14:00','2025-03-18 12:15:55',NULL),(90220,'whatsapp',731064,'2025-03-18 12:47:00','2025-03-18 12:48:25',1),(90222,'whatsapp',301044,'2025-03-18 13:20:00','2025-03-18 13:21:03',1),(90224,'app',684738,'2025-03-18 13:53:00','2025-03-18 13:54:58',5),(90226,'app',893887,'2025-03-18 14:26:00','2025-03-18 14:27:01',4),(90228,'whatsapp',735804,'2025-03-18 14:59:00','2025-03-18 15:00:27',NULL);
UNLOCK TABLES;

DROP TABLE IF EXISTS `chat_mensagens`;
CREATE TABLE `chat_mensagens` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `sessao_id` int unsigned NOT NULL,
  `remetente` enum('cliente','robo','atendente') NOT NULL,
  `texto` text,
  `score_intencao` decimal(4,3) DEFAULT NULL,
  `criado_em` datetime NOT NULL,
  PRIMARY KEY (`id`),
  KEY `idx_sessao` (`sessao_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `chat_mensagens` WRITE;
INSERT INTO `chat_mensagens` VALUES (5520101,90210,'robo','Oi! Aqui é a Sol, assistente da ConectaSul. Como posso ajudar?',NULL,'2025-03-18 10:02:34'),(5520102,90210,'cliente','minha internet caiu',0.593,'2025-03-18 10:02:40'),(5520103,90210,'robo','Poxa, sinto muito. Vou testar a sua conexão, só um minutinho.',NULL,'2025-03-18 10:03:12'),(5520104,90210,'robo','O modem está sem sinal de fibra. Pode conferir se a luz PON está acesa?',NULL,'2025-03-18 10:03:17'),(5520105,90210,'cliente','tá piscando vermelho',0.765,'2025-03-18 10:03:55'),(5520106,90210,'robo','Então é preciso uma visita. Amanhã entre 8h e 12h serve?',NULL,'2025-03-18 10:04:19'),(5520107,90210,'cliente','serve',0.625,'2025-03-18 10:04:27'),(5520108,90210,'robo','Agendado! Protocolo 20250318-5521.',NULL,'2025-03-18 10:04:51'),(5520109,90212,'robo','Oi! Aqui é a Sol, assistente da ConectaSul. Como posso ajudar?',NULL,'2025-03-18 10:35:25'),(5520110,90212,'cliente','2ª via do boleto',0.849,'2025-03-18 10:35:28'),(5520111,90212,'robo','Aqui está o boleto de março, R$ 119,90, com vencimento em 20/03: https://cs.example/b/88123',NULL,'2025-03-18 10:35:33'),(5520112,90212,'cliente','obrigada',0.552,'2025-03-18 10:35:59'),(5520113,90214,'cliente','Quero mudar pro plano de 600 mega',0.566,'2025-03-18 11:08:06'),(5520114,90214,'robo','O plano de 600 Mega custa R$ 139,90 por mês, com Wi-Fi 6 incluso. Confirma a troca?',NULL,'2025-03-18 11:08:27'),(5520115,90214,'cliente','tem fidelidade?',0.528,'2025-03-18 11:09:02'),(5520116,90214,'robo','Sim, são 12 meses.',NULL,'2025-03-18 11:09:09'),(5520117,90214,'cliente','então não quero, deixa como está',0.774,'2025-03-18 11:09:13'),(5520118,90214,'robo','Tudo bem, nada foi alterado.',NULL,'2025-03-18 11:09:34'),(5520119,90216,'cliente','atendente',0.741,'2025-03-18 11:41:23'),(5520120,90216,'robo','Posso tentar resolver por aqui. Qual é o assunto?',NULL,'2025-03-18 11:41:26'),(5520121,90216,'cliente','ATENDENTE!!!',0.781,'2025-03-18 11:42:03'),(5520122,90216,'robo','Certo, vou transferir você.',NULL,'2025-03-18 11:42:23'),(5520123,90216,'atendente','Boa tarde, aqui é o Rafael. Em que posso ajudar?',NULL,'2025-03-18 11:43:00'),(5520124,90216,'cliente','me cobraram um ponto adicional que eu nunca pedi',0.656,'2025-03-18 11:43:35'),(5520125,90216,'atendente','Verifiquei aqui, foi um erro nosso. O valor de R$ 29,90 volta na próxima fatura.',NULL,'2025-03-18 11:43:58');
INSERT INTO `chat_mensagens` VALUES (5520126,90216,'cliente','valeu Rafael',0.538,'2025-03-18 11:44:12'),(5520127,90218,'cliente','como troco a senha do wifi?',0.891,'2025-03-18 12:14:30'),(5520128,90218,'robo','Abra o app ConectaSul, toque em "Meu Wi-Fi" e depois em "Alterar senha".',NULL,'2025-03-18 12:15:07'),(5520129,90218,'cliente','não tenho o app',0.554,'2025-03-18 12:15:33'),(5520130,90218,'robo','Também dá para fazer pelo endereço 192.168.1.1, com o usuário e a senha que estão na etiqueta do modem.',NULL,'2025-03-18 12:15:55'),(5520131,90220,'cliente','Vou me mudar pra Pelotas, vcs atendem lá?',0.966,'2025-03-18 12:47:06'),(5520132,90220,'robo','Atendemos, sim! Qual é o CEP do novo endereço?',NULL,'2025-03-18 12:47:13'),(5520133,90220,'cliente','96010-140',0.957,'2025-03-18 12:47:22'),(5520134,90220,'robo','Temos fibra nesse CEP. A mudança custa R$ 80,00 e leva até 5 dias úteis.',NULL,'2025-03-18 12:47:45'),(5520135,90220,'cliente','pode ser dia 2 de abril?',0.673,'2025-03-18 12:48:13'),(5520136,90220,'robo','Pode. Mudança marcada para 02/04, pela manhã.',NULL,'2025-03-18 12:48:25'),(5520137,90222,'cliente','internet lenta só a noite',0.962,'2025-03-18 13:20:05'),(5520138,90222,'robo','Fiz um teste agora: 287 Mbps de 300 contratados. À noite, muitos aparelhos ligados?',NULL,'2025-03-18 13:20:19'),(5520139,90222,'cliente','2 tvs e o videogame d\'água... digo, do Dudu kkk',0.624,'2025-03-18 13:20:26'),(5520140,90222,'robo','Rsrs! Tente ligar o videogame no cabo. Se continuar, troco o canal do Wi-Fi por aqui.',NULL,'2025-03-18 13:20:50'),(5520141,90222,'cliente','vou testar',0.663,'2025-03-18 13:21:03'),(5520142,90224,'cliente','cancelar',0.610,'2025-03-18 13:53:23'),(5520143,90224,'robo','Que pena! Posso saber o motivo?',NULL,'2025-03-18 13:53:50'),(5520144,90224,'cliente','preço',0.681,'2025-03-18 13:54:10'),(5520145,90224,'robo','Tenho uma oferta: R$ 99,90 por mês durante um ano, com a mesma velocidade.',NULL,'2025-03-18 13:54:36'),(5520146,90224,'cliente','aceito',0.945,'2025-03-18 13:54:46'),(5520147,90224,'robo','Oferta aplicada. A próxima fatura já vem com o novo valor.',NULL,'2025-03-18 13:54:58'),(5520148,90226,'cliente','Boa noite',0.596,'2025-03-18 14:26:39'),(5520149,90226,'robo','Boa noite! Como posso ajudar?',NULL,'2025-03-18 14:27:01'),(5520150,90228,'cliente','o técnico esqueceu uma escada aqui em casa',0.844,'2025-03-18 14:59:16'),(5520151,90228,'robo','Obrigada por avisar! Vou pedir à equipe que busque amanhã. Tem alguém em casa à tarde?',NULL,'2025-03-18 14:59:41'),(5520152,90228,'cliente','sim, depois das 14',0.969,'2025-03-18 14:59:54'),(5520153,90228,'robo','Combinado, depois das 14h.',NULL,'2025-03-18 15:00:27');
UNLOCK TABLES;

-- Dump completed on 2025-03-19  3:00:02
